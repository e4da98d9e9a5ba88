// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits clusters that are too large to compile well.
#pragma once

#include "fuse/cluster_set.hpp"
#include "fuse/tuning.hpp"

namespace sinter::fuse {

/// Splits clusters of more than `most` instructions, in program order, into parts of about equal size at places where few
/// arrays lead from one part to the next. A cluster without such places, or whose parts would be illegal, stays whole.
/// Near-linear.
Clusters split_large(const DepGraph& graph, Legality& legality, Clusters clusters,
                     std::size_t most = tuning::most_instructions);

}  // namespace sinter::fuse
