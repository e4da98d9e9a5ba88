// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/life.hpp>

#include <set>

using namespace programs;
using conform::everywhere;

namespace {

using Cells = std::set<std::pair<std::int64_t, std::int64_t>>;

Array<bool, 2> world_of(std::int64_t height, std::int64_t width, const Cells& alive) {
    std::vector<bool> world(static_cast<std::size_t>(height * width));
    for (auto [i, j] : alive) world[static_cast<std::size_t>(i * width + j)] = true;
    return from(world, shape(height, width));
}

Cells cells_of(const Array<bool, 2>& world) {
    Cells alive;
    for (std::int64_t i = 0; i < world.shape()[0]; ++i)
        for (std::int64_t j = 0; j < world.shape()[1]; ++j)
            if (world(i, j)) alive.insert({i, j});
    return alive;
}

}  // namespace

TEST_CASE("life: by hand") {
    const Cells glider{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    const auto start = world_of(6, 6, glider);
    Cells moved;
    for (auto [i, j] : glider) moved.insert({i + 1, j + 1});
    CHECK(cells_of(everywhere(generations(start, 4))) == moved);
    CHECK(cells_of(everywhere(generations(start, 24))) == glider);

    const Cells blinker{{2, 1}, {2, 2}, {2, 3}};
    CHECK(cells_of(everywhere(generations(world_of(5, 5, blinker), 1))) == Cells{{1, 2}, {2, 2}, {3, 2}});
    CHECK(cells_of(everywhere(generations(world_of(5, 5, blinker), 2))) == blinker);

    CHECK(cells_of(everywhere(generations(world_of(1, 1, {{0, 0}}), 1))).empty());
}

TEST_CASE("life: generated worlds") {
    struct Reference {
        Array<bool, 2> world;
        std::int64_t steps, population;
        std::uint64_t checksum;
    };
    for (const Reference& r : {Reference{r_pentomino(), 0, 5, 20677},
                               {r_pentomino(), 1, 6, 24834},
                               {r_pentomino(), 10, 11, 45987},
                               {r_pentomino(), 100, 121, 478843},
                               {random_world(100, 130), 0, 3209, 41478865},
                               {random_world(100, 130), 1, 3526, 45036286},
                               {random_world(100, 130), 10, 2582, 32279320},
                               {random_world(1, 5), 0, 2, 8},
                               {random_world(1, 5), 1, 4, 16},
                               {random_world(1, 5), 10, 0, 0},
                               {random_world(2, 2), 1, 0, 0}}) {
        const auto world = everywhere(generations(r.world, r.steps));
        CAPTURE(world.shape(), r.steps);
        CHECK(run(count(flatten(world))).item() == r.population);
        CHECK(run(checksum(world)).item() == r.checksum);
    }
}

TEST_CASE("life: rotations are the same") {
    for (auto [h, w] : {std::pair{100, 130}, {1, 5}, {2, 2}}) {
        const auto world = random_world(h, w);
        const auto expected = run(next_generation(world)).to_vector();
        conform::require_same(expected, everywhere(next_generation_by_rotation(world)).to_vector());
    }
}
