// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of launches that follow each other once.
#include "schedule/steps/time_steps.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::schedule;

namespace {

Reach rows_of(std::int64_t columns) { return {Reach::Kind::near, columns, 0, columns - 1}; }

/// A matrix is made of what comes from outside, and a number of each of its rows.
Iteration matrix_and_rows(std::int64_t rows, std::int64_t columns, double work) {
    Iteration iteration;
    iteration.states = 1;
    iteration.values = {{rows, 8}, {rows * columns, 8}, {rows, 8}};
    iteration.results = {2};
    PartFacts facts;
    facts.possible = true, facts.extent = rows, facts.reach = {rows_of(4), rows_of(columns)};
    const double bytes = static_cast<double>(rows * columns * 8);
    iteration.launches.push_back({facts, {std::nullopt}, {1}, {static_cast<double>(rows * 32)}, work, {{}}, {{}}});
    facts.reach = {rows_of(columns), rows_of(1)};
    iteration.launches.push_back({facts, {1}, {2}, {bytes}, work, {{}}, {{}}});
    return iteration;
}

constexpr Caches large{48 << 10, 2 << 20};

}  // namespace

TEST_CASE("tiles of a cascade keep what its launches leave to each other") {
    const Iteration iteration = matrix_and_rows(1000, 64, 1e6);
    const TimeSteps steps(iteration, 1, 100);
    CHECK(steps.tiles() == 10);
    const TileOfSteps tile = steps.tile(3);
    REQUIRE(tile.parts.size() == 2);
    CHECK(tile.needed[1][1] == Interval{300 * 64, 400 * 64});
    CHECK(tile.results[0] == Interval{300, 400});
    const TileMemory memory = memory_of(iteration, steps, {tile});
    CHECK(memory.bytes >= 100 * 64 * 8);
    CHECK(memory.bytes < 120 * 64 * 8);  // results are where they belong
}

TEST_CASE("tiles end where units of rows do") {
    Iteration iteration = matrix_and_rows(1000, 64, 1e6);
    iteration.unit = {48, 20};  // the last one is longer
    const TimeSteps steps(iteration, 1, 100);
    CHECK(steps.rows() == 96);
    REQUIRE(steps.tiles() == 10);
    CHECK(steps.tile(0).parts[0].indices == Interval{0, 96});
    CHECK(steps.tile(9).parts[0].indices == Interval{864, 1000});
    iteration.unit = {192, 6};  // the last one is shorter
    const TimeSteps short_end(iteration, 1, 1);
    CHECK(short_end.rows() == 192);
    REQUIRE(short_end.tiles() == 6);
    CHECK(short_end.tile(5).results[0] == Interval{960, 1000});
}

TEST_CASE("parts have as many indices as a launch wants at least") {
    Iteration iteration = matrix_and_rows(1000, 64, 1e6);
    iteration.launches[0].least = 32;
    const TimeSteps steps(iteration, 1, 10);
    CHECK(steps.tile(50).parts[0].indices == Interval{500, 532});
    CHECK(steps.tile(50).parts[1].indices == Interval{500, 510});
    CHECK(steps.tile(99).parts[0].indices == Interval{968, 1000});
    iteration.launches[0].least = 2000;
    CHECK(TimeSteps(iteration, 1, 10).tile(50).parts[0].indices == Interval{0, 1000});
}

TEST_CASE("cascades pay where the array between launches is large and they do little") {
    const StepsChoice choice = choose_rows_of_cascade(matrix_and_rows(100000, 64, 1e6), 2, large);
    REQUIRE(choice.rows > 0);
    CHECK(choice.rows * 64 * 8 <= large.second);
    CHECK(choice.bytes < choice.plain_bytes / 4);
    CHECK(choice.price < choice.plain_price);
    CHECK(choose_rows_of_cascade(matrix_and_rows(100000, 64, 1e11), 2, large).rows == 0);
    Iteration packed = matrix_and_rows(100000, 64, 1e6);
    packed.launches[0].work_of_part = 1e7;
    CHECK(choose_rows_of_cascade(packed, 2, large).rows == 0);
    CHECK(choose_rows_of_cascade(packed, 2, large, 7).rows == 7);
}
