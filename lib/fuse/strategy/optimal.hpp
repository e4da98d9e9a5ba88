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
    double cost;              ///< of `clusters`, as cost() counts
    double lower;             ///< no legal partition costs less; equal to `cost`: proven
    bool depends_on_extents;  ///< with other extents another partition could be cheaper
    std::size_t nodes = 0;    ///< of the search tree
};

/// The cheapest legal partition; after a search of `deadline` the best found so far, which is never worse than those of
/// the other strategies tried. What costs `limit` or more is not looked for.
Optimum optimal(const DepGraph& graph, const Prices& prices, std::chrono::duration<double> deadline = default_deadline,
                double limit = std::numeric_limits<double>::infinity());

}  // namespace sinter::fuse
