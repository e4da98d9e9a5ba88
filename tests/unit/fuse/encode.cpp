// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the clustering problem says a partition costs, against cost(), for all legal partitions of small programs.
#include "fuse/strategy/encode.hpp"

#include "all_partitions.hpp"
#include "fuse/copies/copies.hpp"
#include "fuse/strategy/candidates.hpp"
#include "fuse/tuning.hpp"
#include "ir/text/parse.hpp"
#include "random_program.hpp"
#include "random_stencils.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

struct Tally {
    std::size_t partitions = 0, less = 0;
};

/// The problem's cost is never more, or a partition could be missed.
void compare(const ir::Program& program, double launch, Tally& tally) {
    const DepGraph graph = dep_graph(program, program.body, {});
    if (graph.vertices.size() > 8) return;
    const Prices prices = Prices::bytes(Extents::nominal(program.sizes, launch));
    const solve::Problem problem = encode(graph, prices);
    AllPartitions(graph).for_each([&](const Clusters& clusters) {
        const double encoded = solve::cost(problem, to_labels(graph, clusters)), own = cost(graph, clusters, prices);
        REQUIRE(encoded <= own);
        ++tally.partitions;
        tally.less += encoded < own;
    });
}

/// All that could be computed again is.
ir::Program with_all_copies(const ir::Program& program, double launch) {
    const Extents extents = Extents::nominal(program.sizes, launch);
    const DepGraph graph = dep_graph(program, program.body, {});
    const auto place = places(program);
    std::set<Place> chosen;
    for (const Candidate& candidate : candidates(graph, extents, Prices::bytes(extents)).list) {
        chosen.insert(place.at(candidate.binding));
        for (const ir::Binding* view : candidate.views) chosen.insert(place.at(view));
    }
    return with_copies(program, chosen).program;
}

}  // namespace

TEST_CASE("The problem's cost of a partition is its cost, for random programs") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        INFO("seed " << seed);
        compare(ir::parse(RandomProgram(seed).program(3 + seed % 7)), tuning::launch_bytes, tally);
    }
    CHECK(tally.partitions > 3000);
    CHECK(tally.less <= tally.partitions / 500);  // values of rows, which some folds of a cluster have at their points
}

TEST_CASE("The problem's cost of a partition is its cost, for stencils and their copies") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
        with_stencils(seed, [&](const std::string& text, double launch) {
            const ir::Program program = ir::parse(text);
            compare(program, launch, tally);
            compare(with_all_copies(program, launch), launch, tally);
        });
    CHECK(tally.partitions > 4000);
    CHECK(tally.less == 0);
}

TEST_CASE("The problem's cost counts a parameter once that a fold reads by its rows") {
    // %1 is read at its own index, by %3, and by the rows of the fold, which is where that index is in its cluster.
    const ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : f32 = input
%2 : f32[n1, n0] = broadcast [1] %0
%3 : f32[n0] = fold [0] (%2) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%4 : f32[n0] = map (%0, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %4)");
    const DepGraph graph = dep_graph(program, program.body, {});
    const Prices prices = Prices::bytes(Extents::nominal(program.sizes));
    const Clusters one{graph.vertices};
    CHECK(cost(graph, one, prices) == tuning::launch_bytes + 2 * 40'000);
    CHECK(solve::cost(encode(graph, prices), to_labels(graph, one)) == cost(graph, one, prices));
}
