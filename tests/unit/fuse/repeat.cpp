// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cheap operations computed again: against all sets of copies and all partitions of what they give.
#include "fuse/repeat.hpp"

#include "all_partitions.hpp"
#include "fuse/transparent.hpp"
#include "ir/print.hpp"
#include "random_program.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

Extents nominal(const ir::Program& program) { return Extents::nominal(program.sizes); }

/// From the definition: cheap, read in several places or only by what is, nowhere from memory, by readers no larger.
std::set<std::size_t> candidates_of(const DepGraph& graph) {
    const Extents extents = nominal(*graph.program);
    std::set<std::size_t> candidates;
    for (auto op = graph.vertices.rbegin(); op != graph.vertices.rend(); ++op) {
        const auto* map = std::get_if<ir::Map>(&graph.binding(*op).op);
        if (!map || graph.points(*op).empty() || graph.any_stored(*op) || !is_cheap_to_repeat(*map)) continue;
        std::size_t readers = 0, candidate_readers = 0;
        bool possible = true;
        for (const Access& access : graph.accesses) {
            if (access.producer != *op) continue;
            ++readers;
            candidate_readers += candidates.count(access.reader.index);
            possible = possible && access.obstacle == Obstacle::none && !access.whole &&
                       extents.elements(graph.space(access.reader)) <= extents.elements(graph.points(*op));
        }
        if (possible && (readers > 1 || readers == candidate_readers)) candidates.insert(op->index);
    }
    return candidates;
}

/// With the views that lead to what is copied.
std::set<std::size_t> with_views(const DepGraph& graph, std::set<std::size_t> chosen) {
    for (std::size_t i = 0; i < graph.roles.size(); ++i) {
        if (graph.roles[i] != Role::transparent) continue;
        for (ir::ValueId id : ir::operands(graph.binding(Operation(i)).op))
            for (std::size_t made : std::set(chosen))
                if (graph.levels[made] <= id.index && id.index < graph.levels[made] + graph.result_count(Operation(made)))
                    chosen.insert(i);
    }
    return chosen;
}

struct Tally {
    std::size_t compared = 0, repeated = 0;
};

void compare(std::uint64_t seed, std::size_t operations, Tally& tally) {
    const std::string text = RandomProgram(seed, true).program(operations);
    const ir::Program program = ir::parse(text);
    const DepGraph graph = dep_graph(program, program.body, {});
    const std::set<std::size_t> all = candidates_of(graph);
    const std::vector<std::size_t> candidates(all.begin(), all.end());
    if (graph.vertices.size() > 8 || candidates.size() > most_candidates) return;
    double least = least_costs(graph, {Prices::bytes(nominal(program))})[0];
    for (std::size_t bits = 1; bits < std::size_t{1} << candidates.size(); ++bits) {
        std::set<std::size_t> chosen;
        for (std::size_t k = 0; k < candidates.size(); ++k)
            if (bits >> k & 1) chosen.insert(candidates[k]);
        const Copies copies = with_copies(program, with_views(graph, std::move(chosen)));
        ir::verify(copies.program);
        const DepGraph copied = dep_graph(copies.program, copies.program.body, {});
        if (copied.vertices.size() > 10) return;
        least = std::min(least, least_costs(copied, {Prices::bytes(nominal(copies.program))})[0]);
    }
    INFO("seed " << seed << "\n" << text);
    const Repetition found = repeat(program, nominal, CostFunction::bytes, std::chrono::seconds(60));
    INFO(ir::print(found.program));
    CHECK(found.candidates == candidates.size());
    if (candidates.empty()) return;
    CHECK(found.exhaustive);
    CHECK(found.cost == least);
    CHECK(found.lower <= least);
    ++tally.compared;
    if (found.repeated.empty()) return;
    ++tally.repeated;
    ir::verify(found.program);
    const Partition partition = partition_of(found.program, Strategy::optimal);  // the verifier accepts it
    const DepGraph copied = dep_graph(found.program, found.program.body, {});
    CHECK(cost(copied, clusters_of(partition), Prices::bytes(nominal(found.program))) == least);
}

}  // namespace

TEST_CASE("repeat: no set of copies and no partition of it costs less, for small programs") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) compare(seed, 5 + seed % 4, tally);
    CHECK(tally.compared > 30);
    CHECK(tally.repeated > 10);
}

TEST_CASE("repeat: no set of copies and no partition of it costs less, for more programs", "[.][long]") {
    Tally tally;
    for (std::uint64_t seed = 1000; seed < 60'000; ++seed) compare(seed, 4 + seed % 7, tally);
    CHECK(tally.repeated > 500);
}

TEST_CASE("repeat: every reader has a copy, and one only") {
    const ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%1, %1) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%4 : f32[n0] = map (%2, %1) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
return %3, %4)");
    const Copies copies = with_copies(program, {0, 1});
    ir::verify(copies.program);
    CHECK(ir::print(copies.program) == R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%4 : f32[n0] = map (%3, %3) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%5 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%6 : f32[n0] = map (%2, %5) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
return %4, %6
)");
    CHECK(copies.times.at(0) == 3);
    CHECK(copies.times.at(1) == 1);
}
