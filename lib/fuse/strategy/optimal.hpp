// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The exact strategy.
#pragma once

#include "fuse/cost.hpp"

#include <chrono>
#include <limits>

namespace sinter::fuse {

inline constexpr std::chrono::milliseconds default_deadline(20);

struct Optimum {
    Clusters clusters;
    double cost;              ///< cost of `clusters` according to cost()
    double lower;             ///< no legal partition costs less; if it equals `cost`, `clusters` is proven to be the best
    bool depends_on_extents;  ///< with other extents another partition could be cheaper
    std::size_t nodes = 0;    ///< of the search tree
};

/// The cheapest legal partition, or the best one found after a search of `deadline`, which is never worse than those of the
/// other strategies that were tried. Partitions that cost `limit` or more are not looked for.
Optimum optimal(const DepGraph& graph, const Prices& prices, std::chrono::duration<double> deadline = default_deadline,
                double limit = std::numeric_limits<double>::infinity());

}  // namespace sinter::fuse
