// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sets of vertices that are pairwise apart, and therefore need as many clusters.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// Found greedily; has at least two of `vertices` if any two of them are apart.
std::vector<Vertex> clique(const Relations& relations, std::vector<Vertex> vertices);

/// A lower bound on the number of clusters of any clustering.
std::size_t least_clusters(const Relations& relations);

}  // namespace sinter::fuse::solve
