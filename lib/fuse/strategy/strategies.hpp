// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The heuristic strategies: a dependence graph in, legal clusters that cover its vertices out (each sorted, in no order).
/// The exact one is in optimal.hpp.
#pragma once

#include <limits>
#include "fuse/cluster_set.hpp"

namespace sinter::fuse {

/// Every vertex a cluster of its own. The baseline.
Clusters none(const DepGraph& graph);

/// Fuses edges from the top (van Balen 2024, section 5): in the order of their producers.
Clusters greedy_down(const DepGraph& graph);

/// Fuses edges from the bottom (van Balen 2024, section 5): the last readers first.
Clusters greedy_up(const DepGraph& graph);

/// Vertical T2 reduction (Henriksen and Oancea 2013, section 3), then diagonal and horizontal merging where legal, until
/// merges of `most_examined` operations in all were looked at.
Clusters t2(const DepGraph& graph, std::size_t most_examined = std::numeric_limits<std::size_t>::max());

}  // namespace sinter::fuse
