// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/processor.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace sinter::runtime;

TEST_CASE("a thread that may use one processor sees one") {
    REQUIRE(usable_processors() >= 1);
    if (current_processor() < 0) return;
    int seen = 0;
    std::thread([&] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(current_processor(), &one);
        if (sched_setaffinity(0, sizeof one, &one) == 0) seen = usable_processors();
    }).join();
    CHECK(seen == 1);
}
