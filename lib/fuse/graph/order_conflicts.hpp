// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the orders in which operations are read say of pairs of them, before any cluster is known.
#pragma once

#include "fuse/graph/possible_orders.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Separates operations one of which reads the other through operations that could follow any order, if no cluster that
/// holds both gives each of its operations one order; others get conditions. What is left out is found cluster by cluster.
void add_order_conflicts(const DepGraph& graph, PossibleOrders& orders, solve::Problem& problem);

}  // namespace sinter::fuse
