// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/lanes.hpp"

#include <catch2/catch.hpp>

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
