// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The blocks (biconnected components) of an undirected graph: the largest sets of lines any two of which lie on a cycle,
/// and the single lines that lie on none. Its points are vertices and hubs of a problem.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

struct Blocks {
    std::size_t pieces = 0;  ///< number of connected components that have at least one line
    std::vector<std::vector<Pair>> lines;
};

/// Every line leads from the smaller point to the larger one, and none occurs twice. Linear and not recursive (Hopcroft and
/// Tarjan, Efficient algorithms for graph manipulation, 1973).
Blocks blocks(std::size_t points, std::span<const Pair> lines);

}  // namespace sinter::fuse::solve
