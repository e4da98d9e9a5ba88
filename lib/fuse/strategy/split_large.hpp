// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clusters that are too large to compile well become several.
#pragma once

#include "fuse/cluster_set.hpp"
#include "fuse/tuning.hpp"

namespace sinter::fuse {

/// Splits the clusters of more than `most` instructions, in program order, into parts of equal size where few arrays lead
/// from one part to the next. One that has no such places, or whose parts would be illegal, stays whole. Near-linear.
Clusters split_large(const DepGraph& graph, Legality& legality, Clusters clusters,
                     std::size_t most = tuning::most_instructions);

}  // namespace sinter::fuse
