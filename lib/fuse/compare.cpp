// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/compare.hpp"

#include "fuse/optimal.hpp"
#include "fuse/strategies.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

/// The greedy strategies take quadratic time.
constexpr std::size_t greedy_limit = 1000;

double bytes(const DepGraph& graph, const Clusters& clusters, const Extents& extents) {
    double total = 0;
    for (const Traffic& t : traffic(graph, clusters, extents)) total += t.read + t.written;
    return total;
}

}  // namespace

Comparison compare(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                   const Partition& partition, const Extents& extents) {
    DepGraph graph = dep_graph(program, body, outer);
    Prices prices = Prices::bytes(extents);
    Clusters own;
    for (const Cluster& cluster : partition.clusters) own.push_back(cluster.operations);
    Optimum best = optimal(graph, prices);
    double c = cost(graph, own, prices);
    Comparison result{{}, c, std::min(best.lower, c)};
    auto add = [&](Strategy strategy, const Clusters& clusters) {
        result.entries.push_back({strategy, clusters.size(), bytes(graph, clusters, extents)});
    };
    add(Strategy::none, none(graph));
    if (graph.vertices.size() <= greedy_limit) {
        add(Strategy::greedy_down, greedy_down(graph));
        add(Strategy::greedy_up, greedy_up(graph));
    }
    add(Strategy::t2, t2(graph));
    add(Strategy::optimal, best.clusters);
    return result;
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
