// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parts of launches touch, and tiles of several steps.
#include "schedule/steps/time_steps.hpp"
#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::schedule;

namespace {

/// Means of the elements above, below and to the right, those beyond the ends clamped.
constexpr const char* stencil = R"(kernel map
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
size s3 = -1
size s4 = (s0 + s3)
size s5 = (s1 + s3)
buffer 0 : f32[s2] in
buffer 1 : f32[s2] out
space s0 s1
{x0: i64, x1: i64 ->
  x2: i64 = constant 1;
  x3 = size #4;
  x4 = size #1;
  x5: i64 = constant 0;
  x6: i64 = constant -1;
  x7 = size #5;
  x8 = add x0 x2;
  x9 = minimum x8 x3;
  x10 = mul x9 x4;
  x11 = add x10 x1;
  x12: f32 = load #0 x11;
  x13 = add x0 x6;
  x14 = maximum x13 x5;
  x15 = mul x14 x4;
  x16 = add x1 x2;
  x17 = minimum x16 x7;
  x18 = add x15 x17;
  x19: f32 = load #0 x18;
  x20 = add x12 x19;
  x21 = mul x0 x4;
  x22 = add x21 x1;
  store #1 x22 x20;
}
)";

std::vector<std::int64_t> sizes_of(std::int64_t rows, std::int64_t columns) {
    return {rows, columns, rows * columns, -1, rows - 1, columns - 1};
}

/// A loop whose only state goes through the stencil.
Iteration steps_of(std::int64_t rows, std::int64_t columns) {
    const lower::Kernel kernel = lower::parse(stencil);
    const auto elements = rows * columns;
    Iteration iteration;
    iteration.states = 1;
    iteration.values = {{elements, 4}, {elements, 4}};
    iteration.results = {1};
    const double bytes = 4.0 * static_cast<double>(elements);
    iteration.launches.push_back({part_facts(kernel, sizes_of(rows, columns).data()), {0}, {1}, {bytes}, bytes / 8});
    return iteration;
}

}  // namespace

TEST_CASE("a part of a stencil touches rows beside it", "[steps]") {
    const lower::Kernel kernel = lower::parse(stencil);
    const PartFacts facts = part_facts(kernel, sizes_of(100, 30).data());
    REQUIRE(facts.possible);
    CHECK_FALSE(facts.checked);
    CHECK(facts.extent == 100);
    CHECK(facts.reach[0].of({10, 12}, 3000) == Interval{9 * 30 + 1, 13 * 30});
    CHECK(facts.reach[0].of({0, 1}, 3000) == Interval{0, 60});
    CHECK(facts.reach[0].of({99, 100}, 3000) == Interval{98 * 30 + 1, 3000});
    CHECK(facts.reach[1].of({10, 12}, 3000) == Interval{300, 360});
    CHECK_FALSE(part_facts(kernel, sizes_of(0, 30).data()).possible);
}

TEST_CASE("tiles overlap by what steps need of each other", "[steps]") {
    const Iteration iteration = steps_of(100, 30);
    const TimeSteps steps(iteration, 4, 25);
    REQUIRE(steps.tiles() == 4);
    std::vector<TileOfSteps> tiles;
    std::int64_t done = 0;
    for (std::int64_t k = 0; k < 4; ++k) {
        tiles.push_back(steps.tile(k));
        CHECK(tiles.back().results[0] == Interval{done, done + 25 * 30});
        done += 25 * 30;
        REQUIRE(tiles.back().parts.size() == 4);
    }
    for (std::int64_t step = 1; step <= 4; ++step) {
        const Interval indices = tiles[1].parts[static_cast<std::size_t>(step - 1)].indices;
        CHECK(indices == Interval{25 - (4 - step), 50 + (4 - step)});
    }
    CHECK(tiles[1].needed[0][0] == Interval{21 * 30 + 1, 54 * 30});
    CHECK(tiles[0].needed[0][0] == Interval{0, 29 * 30});
    const TileMemory memory = memory_of(iteration, steps, tiles);
    CHECK(memory.offsets[1][1] == memory.offsets[3][1]);
    CHECK(memory.offsets[1][1] != memory.offsets[2][1]);
}

TEST_CASE("several steps at once where that saves bytes", "[steps]") {
    CHECK(print(choose_steps(steps_of(4096, 4096), 10, 2)) ==
          "10 steps at once, tiles of 76 rows: 1.82e+07 against 8.89e+07, 21.9 MB a step against 201");
    CHECK(choose_steps(steps_of(4096, 4096), 1, 2).steps == 1);
    CHECK(choose_steps(steps_of(100, 100), 100, 2).steps == 1);      // too short
    CHECK(choose_steps(steps_of(20, 50), 10'000, 2).steps == 1);     // the nearest cache keeps it
    CHECK(choose_steps(steps_of(8, 10'000'000), 10, 2).steps == 1);  // a row has no room
    CHECK(choose_steps(steps_of(100, 100), 100, 2, {}, 5).steps == 3);
    Iteration sum = steps_of(4096, 4096);
    sum.launches[0].facts.reach[0] = {Reach::Kind::anything};
    CHECK(choose_steps(sum, 10, 2).steps == 1);
}

TEST_CASE("tiles in near caches of states that farther ones keep", "[steps]") {
    CHECK(print(choose_steps(steps_of(8000, 10), 1000, 2)) ==
          "9 steps at once, tiles of 334 rows: 5.85e+04 against 8.85e+04, 0.109 MB a step against 0.96");
    CHECK(choose_steps(steps_of(1024, 1024), 100, 2).steps == 1);  // a small second cache, which the third is as good as
    CHECK(print(choose_steps(steps_of(1024, 1024), 100, 2, {48 << 10, 2 << 20})) ==
          "15 steps at once, tiles of 171 rows: 1.07e+06 against 1.78e+06, 1.45 MB a step against 21");
}

TEST_CASE("a part that writes over a copy needs the rest of it", "[steps]") {
    constexpr const char* middle = R"(kernel scatter
size s0 = a0
size s1 = -2
size s2 = (s0 + s1)
buffer 0 : f64[s0] in
buffer 1 : f64[s0] in
buffer 2 : f64[s0] out of 1
space s2
{x0: i64 ->
  x1: f64 = load #0 x0;
  x2: i64 = constant 1;
  x3 = add x0 x2;
  store #2 x3 x1;
}
)";
    const lower::Kernel kernel = lower::parse(middle);
    const std::vector<std::int64_t> sizes = {100, -2, 98};
    CHECK_FALSE(part_facts(kernel, sizes.data()).possible);
    const PartFacts facts = part_facts(kernel, sizes.data(), Overwriting::apart);
    REQUIRE(facts.possible);
    CHECK(facts.dense[2]);
    CHECK(facts.reach[2].of({0, 98}, 100) == Interval{1, 99});
    CHECK(facts.reach[2].indices({5, 9}, 98) == Interval{4, 8});
    CHECK(facts.reach[2].indices({0, 1}, 98).empty());
    CHECK(facts.reach[2].indices({98, 100}, 98) == Interval{97, 98});

    // a, b -> b with the middle replaced, a with that of the new b.
    Iteration iteration;
    iteration.states = 2;
    iteration.values = {{100, 8}, {100, 8}, {100, 8}, {100, 8}};
    iteration.results = {3, 2};
    iteration.launches.push_back({facts, {0, 1}, {2}, {800, 0}, 100, {1}, {1}});
    iteration.launches.push_back({facts, {2, 0}, {3}, {800, 0}, 100, {1}, {1}});
    const TileOfSteps tile = TimeSteps(iteration, 2, 25).tile(1);
    REQUIRE(tile.parts.size() == 4);
    CHECK(tile.results[0] == Interval{25, 50});
    CHECK(tile.parts[3].indices == Interval{24, 49});
    CHECK(tile.needed[2][2] == Interval{24, 50});
    CHECK(tile.needed[1][3] == Interval{23, 50});
    CHECK(tile.needed[0][0] == Interval{21, 50});
    // The second step writes over what the first one made, unless that is read later.
    const TimeSteps steps(iteration, 2, 25);
    const TileMemory memory = memory_of(iteration, steps, {tile});
    CHECK(memory.offsets[2][2] == memory.offsets[1][2]);
    CHECK(memory.offsets[2][3] == memory.offsets[1][3]);
    CHECK(memory.offsets[1][2] != memory.offsets[1][3]);
    iteration.launches[1].reads[0] = 1;  // the old b
    const TileMemory apart = memory_of(iteration, steps, {tile});
    CHECK(apart.offsets[2][2] != apart.offsets[1][2]);
    iteration.launches[1].reads[0] = 2;
    iteration.launches[0].takes[0].reset();  // a launch that reads elsewhere what it overwrites
    const TileMemory copied = memory_of(iteration, steps, {tile});
    CHECK(copied.offsets[2][2] != copied.offsets[1][2]);
    const TileOfSteps first = TimeSteps(iteration, 2, 1).tile(0);
    CHECK(first.results[0] == Interval{0, 1});
    CHECK(first.parts.back().indices.empty());
}

TEST_CASE("a launch is within the slice of a tape that a known number names", "[steps]") {
    constexpr const char* taped = R"(kernel scatter
size s0 = a0
size s1 = a1
size s2 = (s0 * s1)
size s3 = 1
size s4 = -1
size s5 = (s0 + s4)
buffer 0 : f64[s2] in
buffer 1 : i64[s3] in
buffer 2 : f64[s2] in
buffer 3 : f64[s2] out of 0
space s0
{x0: i64 ->
  x1: i64 = constant 0;
  x2: i64 = load #1 x1;
  x3 = size #1;
  x4 = check_index #0 x2 x3;
  x5 = size #0;
  x6 = mul x4 x5;
  x7: i64 = constant 1;
  x8 = add x0 x7;
  x9 = size #5;
  x10 = minimum x8 x9;
  x11 = add x10 x6;
  x12: f64 = load #2 x11;
  x13: i64 = constant -1;
  x14 = add x0 x13;
  x15 = inside x14 x5;
  x16: f64 = cond x15 {-> x16 = add x14 x6; x17: f64 = load #2 x16; x17} {-> x12};
  x17 = add x12 x16;
  x18 = add x6 x0;
  store #3 x18 x17;
}
)";
    const lower::Kernel kernel = lower::parse(taped);
    const std::vector<std::int64_t> sizes = {10, 4, 40, 1, -1, 9};
    CHECK_FALSE(part_facts(kernel, sizes.data(), Overwriting::apart).possible);
    const auto of_slice = [&](std::int64_t number) {
        return part_facts(kernel, sizes.data(), Overwriting::apart, Updating::refused, {std::nullopt, number});
    };
    const PartFacts facts = of_slice(2);
    REQUIRE(facts.possible);
    CHECK(facts.within[2] == Interval{20, 30});
    CHECK(facts.within[3] == Interval{20, 30});
    CHECK(facts.reach[2].of({3, 5}, 40) == Interval{22, 26});
    CHECK(facts.reach[3].of({3, 5}, 40) == Interval{23, 25});
    CHECK(facts.dense[3]);
    CHECK(of_slice(0).within[2] == Interval{0, 10});
    CHECK_FALSE(of_slice(4).possible);  // a check fails
}
