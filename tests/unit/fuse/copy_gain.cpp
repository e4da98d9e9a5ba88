// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of copies before any search: against all sets of copies and all partitions.
#include "fuse/copies/copy_gain.hpp"

#include "all_copies.hpp"
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
    std::size_t always = 0, never = 0, neither = 0;
};

/// By operation: how many of it there may be.
std::vector<double> most_copies(const DepGraph& graph, const std::vector<bool>& repeatable) {
    std::vector<double> copies(graph.roles.size(), 1);
    for (std::size_t op = copies.size(); op-- > 0;) {
        if (!repeatable[op]) continue;
        copies[op] = 0;
        for (const Access& access : graph.accesses)
            if (access.producer == Operation(op)) copies[op] += copies[access.reader.index];
    }
    return copies;
}

void compare(const std::string& text, double launch, Tally& tally) {
    const ir::Program program = ir::parse(text);
    const ExtentsOf extents = [&](const ir::Program& p) { return Extents::nominal(p.sizes, launch); };
    const DepGraph graph = dep_graph(program, program.body, {});
    const std::set<std::size_t> candidates = repeatable_operations(graph, extents(program));
    const std::vector<double> least = least_by_copies(program, candidates, extents);
    if (least.size() < 2) return;
    INFO(text << "launch " << launch);
    const Prices prices = Prices::bytes(extents(program));
    const CopyGain gain(graph, prices);
    std::vector<bool> repeatable(graph.roles.size(), false);
    for (std::size_t op : candidates) repeatable[op] = true;
    std::size_t bit = 1;
    for (std::size_t op : candidates) {
        INFO("copies of " << graph.name(Operation(op)));
        const std::vector<double> copies = most_copies(graph, repeatable);
        const bool always = gain.always_pays(Operation(op), copies[op]);
        const bool never = gain.never_pays(Operation(op), repeatable, copies);
        for (std::size_t others = 0; others < least.size(); ++others) {
            if (others & bit) continue;
            if (always) CHECK(least[others | bit] <= least[others]);
            if (never) CHECK(least[others | bit] >= least[others]);
        }
        ++(always ? tally.always : never ? tally.never : tally.neither);
        bit *= 2;
    }
}

void compare_stencils(std::uint64_t seed, Tally& tally) {
    with_stencils(seed, [&](const std::string& text, double launch) { compare(text, launch, tally); });
}

}  // namespace

TEST_CASE("copy gain: what always or never pays does, for small programs") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) compare_stencils(seed, tally);
    CHECK(tally.always > 20);
    CHECK(tally.never > 10);
    CHECK(tally.neither > 20);
    for (std::uint64_t seed = 1; seed <= 500; ++seed)
        compare(RandomProgram(seed, true).program(5 + seed % 4), tuning::launch_bytes, tally);
}

TEST_CASE("copy gain: what always or never pays does, for more programs", "[.][long]") {
    Tally tally;
    for (std::uint64_t seed = 1000; seed < 10'000; ++seed) compare_stencils(seed, tally);
    for (std::uint64_t seed = 1000; seed < 20'000; ++seed)
        compare(RandomProgram(seed, true).program(4 + seed % 6), static_cast<double>(seed % 4) * 10'000, tally);
    CHECK(tally.always > 500);
    CHECK(tally.never > 150);
}

TEST_CASE("copy gain: no launch is spared where an input's cluster could hold the operation too") {
    // %6 may join the cluster of %5, which is not that of %9.
    const ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : f32[n0] = input
%2 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%3 : f32[n0] = shift wrap [2000] %2
%4 : f32[n0] = shift wrap [4000] %2
%5 : f32[n0] = map (%2, %3, %4) {x0: f32, x1: f32, x2: f32 -> x3 = add x0 x1; x4 = add x3 x2; x5 = sqrt x4; x5}
%6 : f32[n0] = map (%5, %1) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
%7 : f32[n0] = shift wrap [2000] %6
%8 : f32[n0] = shift wrap [4000] %6
%9 : f32[n0] = map (%6, %7, %8) {x0: f32, x1: f32, x2: f32 -> x3 = add x0 x1; x4 = add x3 x2; x5 = sqrt x4; x5}
return %9)");
    const DepGraph graph = dep_graph(program, program.body, {});
    const Prices prices = Prices::bytes(Extents::nominal(program.sizes, 1e6));
    const std::vector<bool> none(graph.roles.size(), false);
    const auto sum = *std::find_if(graph.vertices.begin(), graph.vertices.end(),
                                   [&](Operation op) { return graph.levels[op.index] == 6; });
    CHECK(CopyGain(graph, prices).never_pays(sum, none, std::vector<double>(graph.roles.size(), 1)));
}
