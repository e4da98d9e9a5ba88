// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/thread_costs.hpp"

#include "run/threads/threads.hpp"

#include <catch2/catch.hpp>

using namespace sinter::runtime;
using namespace std::chrono_literals;

TEST_CASE("Loops are shared from a multiple of what that costs, as measured") {
    const WorthSharing usual = worth_sharing({}), measured = worth_sharing({{loop_shared, 0.5}, {loop_woken, 30}});
    CHECK(usual.awake < usual.asleep);
    CHECK(measured.awake == 4us);
    CHECK(measured.asleep == 60us);
}

TEST_CASE("Numbers that make no sense do not stop threads from being used") {
    const WorthSharing usual = worth_sharing({});
    const WorthSharing none = worth_sharing({{loop_shared, 0}, {loop_woken, -1}});
    CHECK(none.awake == usual.awake);
    CHECK(none.asleep == usual.asleep);
    const WorthSharing large = worth_sharing({{loop_shared, 1e9}, {loop_woken, 1e12}});
    CHECK(large.awake <= 1ms);
    CHECK(large.asleep <= 10ms);
    const WorthSharing small = worth_sharing({{loop_shared, 1e-9}, {loop_woken, 1e-9}});
    CHECK(small.awake >= 100ns);
    CHECK(small.asleep >= 1us);
}

TEST_CASE("What threads cost is measured where there are several") {
    const Calibration costs = measure_threads();
    REQUIRE(costs.size() == 2);
    const bool several = default_threads() > 1;
    CHECK((costs.at(loop_shared) > 0) == several);
    CHECK((costs.at(loop_woken) > 0) == several);
}
