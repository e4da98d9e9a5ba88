// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mirror image of greedy_down: takes the edges from the last reader to the first, the nearest producer first.
#include "fuse/strategy/merging.hpp"
#include "fuse/strategy/strategies.hpp"

namespace sinter::fuse {

Clusters greedy_up(const DepGraph& graph) {
    Legality legality(graph);
    ClusterSet clusters(graph, legality, none(graph));
    bool changed = true;
    while (changed) {
        changed = false;
        for (auto access = graph.accesses.rbegin(); access != graph.accesses.rend(); ++access)
            changed |= fuse_edge(graph, clusters, *access);
        changed |= fuse_horizontally(graph, clusters);
    }
    return clusters.take();
}

}  // namespace sinter::fuse
