// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Blocks of an undirected graph: the largest sets of lines any two of which lie on a circle, and lines on no circle.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

struct Blocks {
    std::size_t pieces = 0;  ///< connected components, points without lines among them
    std::vector<std::vector<Pair>> lines;
};

/// `lines`: from the smaller point to the larger one, none twice. Linear; not recursive (Hopcroft and Tarjan, Efficient
/// algorithms for graph manipulation, 1973).
Blocks blocks(std::size_t points, std::span<const Pair> lines);

}  // namespace sinter::fuse::solve
