// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A dependence graph as a clustering problem.
#pragma once

#include "fuse/cost.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Vertex v is the v-th of the graph's vertices.
///
/// Separations are pairs that no cluster of the closed form (legality.hpp) holds together; what depends on more than a pair
/// is left to Legality. A clustering that is legal costs what cost() says; or less, where values of rows are read at
/// their points or for their elements, and where reads that are shared differ in price. Near-linear in the graph's size.
solve::Problem encode(const DepGraph& graph, const Prices& prices);

/// Clusters of operations as clusters of vertices, and back.
solve::Labels to_labels(const DepGraph& graph, const Clusters& clusters);
Clusters to_clusters(const DepGraph& graph, const solve::Labels& labels);

}  // namespace sinter::fuse
