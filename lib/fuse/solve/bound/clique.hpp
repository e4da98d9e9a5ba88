// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sets of vertices that are pairwise apart, and so need as many clusters.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// Found greedily; at least two of `vertices` if any two are apart.
std::vector<Vertex> clique(const Relations& relations, std::vector<Vertex> vertices);

/// A number of clusters that any clustering needs.
std::size_t least_clusters(const Relations& relations);

}  // namespace sinter::fuse::solve
