// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The orders in which one variable is read, as far as they have different courses (label.hpp).
#pragma once

#include "fuse/graph/possible_orders.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Reads of one variable of which a term counts one for each cluster that holds any, at the least of their prices.
struct SharedRead {
    double price;
    std::vector<const Access*> accesses;
};

/// Adds to `problem` what clusters pay that read in several orders. Of operations that more than one other decides about,
/// nothing is added.
void add_read_orders(const DepGraph& graph, PossibleOrders& orders, const std::vector<SharedRead>& reads,
                     solve::Problem& problem);

}  // namespace sinter::fuse
