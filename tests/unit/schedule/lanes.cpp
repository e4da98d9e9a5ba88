// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/lanes.hpp"

#include "lower/text/parse.hpp"
#include "schedule/candidates.hpp"
#include "schedule/tasks.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sinter;

// What is found by vectors under a mask is kept in accumulators of one vector.
TEST_CASE("loops with accumulators that are emitted once have one vector at a time", "[schedule]") {
    schedule::Machine machine;
    machine.vector_bits = 512;
    machine.masked_memory = machine.masked_narrow = true;
    for (bool waits : {false, true})
        for (int inner : {0, 16})
            for (int instructions = 1; instructions < 1200; ++instructions) {
                schedule::Profile profile;
                profile.empty = false;
                profile.waits = waits;
                profile.inner = inner;
                profile.operations[3] = instructions;
                for (std::size_t accumulators : {1, 3}) {
                    const schedule::Lanes lanes = schedule::choose_lanes(machine, profile, accumulators);
                    CAPTURE(waits, inner, instructions, accumulators, lanes.columns);
                    if (lanes.covering) REQUIRE(lanes.columns == 1);
                }
            }
}

TEST_CASE("numbers of steps are among the sizes that decide how a launch is cut", "[schedule]") {
    const lower::Kernel kernel = lower::parse(R"(kernel steps
size s0 = a0
size s1 = a1
size s2 = a2
buffer 0 : f64[s0] in
buffer 1 : f64[s0] out
space s0
{x0: i64 ->
  x1 = size #1;
  x2: f64 = load #0 x0;
  x3: f64 = for_loop x1 x2 {x3: i64, x4: f64 -> x5 = mul x4 x4; x6 = sub x5 x2; x6};
  store #1 x0 x3;
}
)");
    const schedule::Candidates candidates = schedule::candidates_of(kernel, {});
    const std::vector<ir::SizeId> deciding = schedule::deciding_sizes(kernel, candidates);
    CHECK(std::count(deciding.begin(), deciding.end(), ir::SizeId(1)) == 1);
    CHECK(std::count(deciding.begin(), deciding.end(), ir::SizeId(2)) == 0);
    CHECK(!schedule::may_shrink(candidates));
}
