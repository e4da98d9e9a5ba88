// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/strategies.hpp"

namespace sinter::fuse {

Clusters none(const DepGraph& graph) {
    Clusters clusters;
    clusters.reserve(graph.vertices.size());
    for (Operation op : graph.vertices) clusters.push_back({op});
    return clusters;
}

}  // namespace sinter::fuse
