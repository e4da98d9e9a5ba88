// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks a partition, given only the program and the partition. Shares no code with strategies and legality.
///
/// Invariants (rule names as in van Balen 2024, figure 2):
///   COVER       what a cluster reads, and what the body returns, is made in the same cluster, or is manifest and made in an
///               earlier one, or comes from outside; no operation is in two clusters; manifest lists what clusters make, in
///               increasing order
///   BARRIER     force, loops and conditionals are clusters of their own
///   VERTICAL, DIAGONAL   what one operation of a cluster makes for another is read in one order: that in which it is made,
///               and without repetition
///   INTRO       nothing is input and output of one cluster
///   ORDER       manifest arrays leave their cluster in order 0
///   SPACE       manifest arrays of a cluster have the shape of its root space or of its one space of elements
///   CLOSED      one reduction per cluster, at the index of its root; no fold below a fold
///   CONNECTED   operations of a cluster are connected by what they make or by reading one array in one order (HORIZONTAL)
#pragma once

#include "fuse/partition.hpp"

namespace sinter::fuse {

/// Throws InternalError that names the rule and the operations.
void verify(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
            const Partition& partition);

}  // namespace sinter::fuse
