// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The steps that strategies other than T2 are made of.
#pragma once

#include "fuse/cluster_set.hpp"

namespace sinter::fuse {

/// Fuses along `access` if it can: the two clusters, or the producer's with those of all its readers (an operation that is
/// not stored may be evaluated in any order, but only if all its readers agree). True if clusters were merged.
bool fuse_edge(const DepGraph& graph, ClusterSet& clusters, const Access& access);

/// Merges clusters that read one array in the same order. True if clusters were merged.
bool fuse_horizontally(const DepGraph& graph, ClusterSet& clusters);

}  // namespace sinter::fuse
