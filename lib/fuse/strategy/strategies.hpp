// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The heuristic strategies. Each takes a dependence graph and returns legal clusters that cover its vertices; each cluster
/// is sorted, but the clusters are in no particular order. The exact strategy is in optimal.hpp.
#pragma once

#include <limits>
#include "fuse/cluster_set.hpp"

namespace sinter::fuse {

/// Makes every vertex a cluster of its own: the baseline.
Clusters none(const DepGraph& graph);

/// Fuses edges from the top, in the order of their producers (van Balen 2024, section 5).
Clusters greedy_down(const DepGraph& graph);

/// Fuses edges from the bottom, the last readers first (van Balen 2024, section 5).
Clusters greedy_up(const DepGraph& graph);

/// Vertical T2 reduction (Henriksen and Oancea 2013, section 3), then diagonal and horizontal merging where that is legal,
/// until merges have examined `most_examined` operations in all.
Clusters t2(const DepGraph& graph, std::size_t most_examined = std::numeric_limits<std::size_t>::max());

}  // namespace sinter::fuse
