// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest of the heuristics; the exact search (fusion.md, section 4) replaces it.
#include "fuse/strategies.hpp"

namespace sinter::fuse {

Clusters optimal(const DepGraph& graph, const Extents& extents) {
    Clusters best = t2(graph);
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
