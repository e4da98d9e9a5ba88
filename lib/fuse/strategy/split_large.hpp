// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clusters that are too large to compile well become several.
#pragma once

#include "fuse/cluster_set.hpp"

namespace sinter::fuse {

/// As many instructions as a cluster may have: those of its functions, and one for each operation. Generating code for a
/// chain of maps of four took 95 µs a map in a kernel of 10,000 maps, and 130 in one of 100,000, which is larger than all
/// caches; the process took 1.4 GB then. In kernels of at most so many instructions it is 70 µs, and 0.9 GB. To store an
/// array between two such kernels is little against the work for each of its elements.
inline constexpr std::size_t most_instructions = 30'000;

/// Splits the clusters of more than `most` instructions, in program order, into parts of equal size where few arrays lead
/// from one part to the next. One that has no such places, or whose parts would be illegal, stays whole. Near-linear.
Clusters split_large(const DepGraph& graph, Legality& legality, Clusters clusters, std::size_t most = most_instructions);

}  // namespace sinter::fuse
