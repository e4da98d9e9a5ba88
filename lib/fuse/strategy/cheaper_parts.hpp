// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compares the costs of two partitions of a body that were made with different copies, part by part.
#pragma once

#include "fuse/copies/copies.hpp"
#include "fuse/cost.hpp"

namespace sinter::fuse {

/// The clusters of a body with copies.
struct CopiedClusters {
    const Clusters* clusters;
    std::vector<double> costs;          ///< by cluster
    const std::vector<Place>* origins;  ///< by operation
};

/// The places of operations in those parts of the body that `b` makes cheaper than `a` does. Parts are separate if neither
/// partition has a cluster that reaches across them.
std::set<Place> cheaper_parts(const CopiedClusters& a, const CopiedClusters& b);

}  // namespace sinter::fuse
