// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The orders in which one variable is read, as far as their courses (label.hpp) differ.
#pragma once

#include "fuse/graph/possible_orders.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Reads of one variable that a term counts once for each cluster that holds any of them, at the lowest of their prices.
struct SharedRead {
    double price;
    std::vector<const Access*> accesses;
};

/// Adds to `problem` the cost of clusters that read a variable in several orders. For operations whose order depends on more
/// than one other operation nothing is added.
void add_read_orders(const DepGraph& graph, PossibleOrders& orders, const std::vector<SharedRead>& reads,
                     solve::Problem& problem);

}  // namespace sinter::fuse
