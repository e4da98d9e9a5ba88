// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the edges in the order of their producers and fuses each one if the result is legal, then shares reads; repeats this
// until nothing changes. Unlike van Balen 2024, legality is decided for the clusters at hand, instead of asking a solver if
// some completion exists.
#include "fuse/strategy/merging.hpp"
#include "fuse/strategy/strategies.hpp"

namespace sinter::fuse {

Clusters greedy_down(const DepGraph& graph) {
    Legality legality(graph);
    ClusterSet clusters(graph, legality, none(graph));
    bool changed = true;
    while (changed) {
        changed = false;
        for (Operation op : graph.vertices)
            for (std::uint32_t use : graph.uses[op.index]) changed |= fuse_edge(graph, clusters, graph.accesses[use]);
        changed |= fuse_horizontally(graph, clusters);
    }
    return clusters.take();
}

}  // namespace sinter::fuse
