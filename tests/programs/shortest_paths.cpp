// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/shortest_paths.hpp>

using namespace programs;
using conform::everywhere;

namespace {

using Weight = std::int32_t;

}  // namespace

TEST_CASE("shortest paths: by hand") {
    constexpr Weight o = no_path<Weight>;
    const auto weights = from(
        std::vector<Weight>{
            0, 3, 8, o, o, o, 0, o, 1, 7, o, 4, 0, o, o, 2, o, 5, 0, o, o, o, o, 6, 0,
        },
        shape(5, 5));
    const std::vector<Weight> once{0, 3, 8, 4, 10, 3, 0, 6, 1, 7, o, 4, 0, 5, 11, 2, 5, 5, 0, o, 8, o, 11, 6, 0};
    const std::vector<Weight> twice{0, 3, 8, 4, 10, 3, 0, 6, 1, 7, 7, 4, 0, 5, 11, 2, 5, 5, 0, 12, 8, 11, 11, 6, 0};
    CHECK(everywhere(shortest_paths<Weight>(weights, 1)).to_vector() == once);
    CHECK(everywhere(shortest_paths<Weight>(weights, rounds_for(5))).to_vector() == twice);
    CHECK(everywhere(shortest_paths_until_stable<Weight>(weights)).to_vector() == twice);
    CHECK(everywhere(floyd_warshall<Weight>(weights, 5)).to_vector() == twice);
}

TEST_CASE("shortest paths: generated graphs") {
    struct Reference {
        std::int64_t n;
        int rounds;
        std::int64_t reach;
        Weight longest;
        std::uint64_t checksum;
    };
    for (const Reference& r : {Reference{1, 0, 1, 0, 0},
                               {2, 0, 3, 219, 2684355217},
                               {33, 5, 738, 4623, 197108718762080},
                               {64, 6, 4096, 3392, 20989434381}}) {
        CAPTURE(r.n);
        REQUIRE(rounds_for(r.n) == r.rounds);
        const auto weights = sparse_graph<Weight>(r.n);
        const auto paths = everywhere(shortest_paths<Weight>(weights, r.rounds));
        CHECK(run(checksum(paths)).item() == r.checksum);
        const auto reached = flatten(paths) < no_path<Weight>;
        CHECK(run(count(reached)).item() == r.reach);
        CHECK(run(max(select(reached, flatten(paths), 0))).item() == r.longest);
        conform::require_same(paths.to_vector(), everywhere(floyd_warshall<Weight>(weights, r.n)).to_vector());
        conform::require_same(paths.to_vector(), everywhere(shortest_paths_until_stable<Weight>(weights)).to_vector());
    }
    CHECK(run(checksum(shortest_paths<Weight>(sparse_graph<Weight>(64), 1))).item() == 6744237169997638);
}

TEST_CASE("shortest paths: in float") {
    const auto whole = run(shortest_paths<Weight>(sparse_graph<Weight>(33), 5)).to_vector();
    std::vector<float> expected;
    for (const Weight w : whole) expected.push_back(w == no_path<Weight> ? no_path<float> : static_cast<float>(w));
    conform::require_same(expected, everywhere(shortest_paths<float>(sparse_graph<float>(33), 5)).to_vector());
}

TEST_CASE("shortest paths: nested") {
    const auto weights = sparse_graph<Weight>(33);
    const auto expected = run(shortest_paths<Weight>(weights, 5)).to_vector();
    const auto square = [](Exp<std::int64_t>, Distances<Weight> d) { return min_plus_product_nested<Weight>(d, d); };
    conform::require_same(expected, everywhere(for_loop(5, square, weights)).to_vector());
}
