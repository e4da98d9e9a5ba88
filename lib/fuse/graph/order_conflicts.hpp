// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the orders in which operations are read imply for pairs of operations, before any cluster is known.
#pragma once

#include "fuse/graph/possible_orders.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Separates two operations, one of which reads the other through operations that could follow any order, if no cluster that
/// holds both can give each of its operations one order; other pairs get conditions. What is missed here is found cluster by
/// cluster.
void add_order_conflicts(const DepGraph& graph, PossibleOrders& orders, solve::Problem& problem);

}  // namespace sinter::fuse
