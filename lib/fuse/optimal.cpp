// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest of the heuristics; the exact search (fusion.md, section 4) replaces it.
#include "fuse/strategies.hpp"

namespace sinter::fuse {

namespace {
/// The greedy strategies take quadratic time; beyond this many vertices t2 has to do.
constexpr std::size_t greedy_limit = 300;
}  // namespace

Clusters optimal(const DepGraph& graph, const Extents& extents) {
    Clusters best = t2(graph);
    if (graph.vertices.size() > greedy_limit) return best;
    double least = cost(graph, best, extents);
    for (auto* strategy : {greedy_down, greedy_up}) {
        Clusters clusters = strategy(graph);
        double c = cost(graph, clusters, extents);
        if (c < least) {
            least = c;
            best = std::move(clusters);
        }
    }
    return best;
}

}  // namespace sinter::fuse
