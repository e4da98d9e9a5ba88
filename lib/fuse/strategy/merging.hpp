// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The steps of all strategies but T2.
#pragma once

#include "fuse/cluster_set.hpp"

namespace sinter::fuse {

/// Fuses along `access` if possible: the two clusters, or the producer's cluster with those of all its readers (an operation
/// that is not stored may be evaluated in any order, but only if all its readers agree). Returns true if clusters were
/// merged.
bool fuse_edge(const DepGraph& graph, ClusterSet& clusters, const Access& access);

/// Merges clusters that read one array in the same order. Returns true if clusters were merged.
bool fuse_horizontally(const DepGraph& graph, ClusterSet& clusters);

}  // namespace sinter::fuse
