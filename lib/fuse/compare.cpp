// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/compare.hpp"

#include "fuse/graph/bodies.hpp"
#include "fuse/strategy/optimal.hpp"
#include "fuse/strategy/strategies.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

double bytes(const DepGraph& graph, const Clusters& clusters, const Extents& extents) {
    double total = 0;
    for (const Traffic& t : traffic(graph, clusters, extents)) total += t.all();
    return total;
}

void add(const DepGraph& graph, Strategy strategy, const Clusters& clusters, const Extents& extents, Comparison& to) {
    auto same = [&](const Comparison::Entry& entry) { return entry.strategy == strategy; };
    auto entry = std::find_if(to.entries.begin(), to.entries.end(), same);
    if (entry == to.entries.end()) entry = to.entries.insert(entry, {strategy});
    entry->clusters += clusters.size();
    entry->bytes += bytes(graph, clusters, extents);
}

}  // namespace

void compare_heuristics(const ir::Program& program, const Extents& extents, Comparison& comparison) {
    for_each_body(program.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
        const DepGraph graph = dep_graph(program, body, outer);
        add(graph, Strategy::none, none(graph), extents, comparison);
        if (graph.vertices.size() <= tuning::greedy_shown) {
            add(graph, Strategy::greedy_down, greedy_down(graph), extents, comparison);
            add(graph, Strategy::greedy_up, greedy_up(graph), extents, comparison);
        }
        add(graph, Strategy::t2, t2(graph), extents, comparison);
    });
}

void compare_best(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                  const Partition& partition, const Extents& extents, Comparison& comparison) {
    const DepGraph graph = dep_graph(program, body, outer);
    const Prices prices = Prices::bytes(extents);
    Clusters own;
    for (const Cluster& cluster : partition.clusters) own.push_back(cluster.operations);
    const Optimum best = optimal(graph, prices);
    const double c = cost(graph, own, prices);
    comparison.cost += c;
    comparison.lower += std::min(best.lower, c);
    add(graph, Strategy::optimal, best.clusters, extents, comparison);
}

const char* name_of(Strategy strategy) {
    switch (strategy) {
        case Strategy::none:
            return "none";
        case Strategy::greedy_down:
            return "greedy_down";
        case Strategy::greedy_up:
            return "greedy_up";
        case Strategy::t2:
            return "t2";
        case Strategy::optimal:
            return "optimal";
    }
    return "";
}

}  // namespace sinter::fuse
