// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Encodes a dependence graph as a clustering problem.
#pragma once

#include "fuse/cost.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Vertex v of the problem is the v-th vertex of the graph.
///
/// Separations are pairs that no cluster of the closed form (legality.hpp) holds; whatever depends on more than a pair is
/// left to Legality. A legal clustering costs what cost() says. It may cost less where values of rows are read at their
/// points or for their elements, and where reads that are shared differ in price. Near-linear in the graph's size.
solve::Problem encode(const DepGraph& graph, const Prices& prices);

/// Convert clusters of operations to clusters of vertices, and back.
solve::Labels to_labels(const DepGraph& graph, const Clusters& clusters);
Clusters to_clusters(const DepGraph& graph, const solve::Labels& labels);

}  // namespace sinter::fuse
