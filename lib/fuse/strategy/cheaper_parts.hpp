// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where two partitions of a body, made with different copies, differ in cost.
#pragma once

#include "fuse/copies/copies.hpp"
#include "fuse/cost.hpp"

namespace sinter::fuse {

/// Clusters of a body with copies.
struct CopiedClusters {
    const Clusters* clusters;
    std::vector<double> costs;          ///< by cluster
    const std::vector<Place>* origins;  ///< by operation
};

/// The places of operations in parts of the body that `b` makes cheaper than `a`: what neither has a cluster across is a
/// part of its own.
std::set<Place> cheaper_parts(const CopiedClusters& a, const CopiedClusters& b);

}  // namespace sinter::fuse
