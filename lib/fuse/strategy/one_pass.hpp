// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clusters that go over one array along different axes, or fold and scatter it, become one, which goes over it once.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

struct OnePass {
    Clusters clusters;
    bool depends_on_extents;  ///< with others, more or fewer could have been joined
};

/// Joins two clusters where folds of one are outer folds beside those of the other, or its scatter goes beside these
/// (outer_folds.hpp), and fewer bytes move then; what needs the outer folds' results becomes a cluster of its own.
/// Accumulators have to fit the near caches, and many elements to share each, and rows of outer folds to be long.
/// `ranks`: as in Target. `clusters`: legal; `legality` allows outer folds. The search before this knows clusters without
/// accumulators only: whatever it finds is kept where nothing is gained.
OnePass one_pass(const DepGraph& graph, Legality& legality, Clusters clusters, const Extents& extents, bool ranks);

}  // namespace sinter::fuse
