// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <option_pricing/payoffs.hpp>

using namespace option_pricing;

TEST_CASE("option pricing") {
    const auto mean = [](std::int64_t paths) {
        return conform::everywhere_near(sum_of_payoffs(paths), 1e-9 * double(paths)).item() / double(paths);
    };
    CHECK(mean(1) == Approx(858.856750).epsilon(1e-6));
    CHECK(mean(2) == Approx(1180.92801).epsilon(1e-6));
    CHECK(mean(1000) == Approx(926.531555).epsilon(1e-6));
    CHECK(run(sum_of_payoffs(65536)).item() / 65536 == Approx(937.602835).epsilon(1e-6));
}

TEST_CASE("option pricing: one kernel") { CHECK(explain(sum_of_payoffs(65536)).clusters().size() == 1); }
