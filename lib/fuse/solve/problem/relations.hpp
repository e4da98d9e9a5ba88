// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What follows from arcs and separations, as bit sets: (count)² / 64 words, and about as many steps for each arc.
#pragma once

#include "fuse/solve/problem/bits.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

struct Relations {
    std::vector<Vertex> order;  ///< of the vertices, along the arcs
    Bits above, below;          ///< by vertex: what reaches it, what it reaches
    /// By vertex: what never shares a cluster with it. Symmetric, and closed: two vertices are apart also if vertices on
    /// paths between them are, because merging them merges all of those.
    Bits apart;
};

/// Separates equal patterns, unless repeatable, of which one reaches the other; pairs that follow from these are left out.
/// To be done before vertices are merged other than by contract(): what a cluster reaches, not all its members do.
void separate_patterns(Problem& problem);

/// Of a problem whose arcs form no circle, and whose patterns were separated.
Relations relate(const Problem& problem);

/// `set` and all vertices on paths between its members.
void close_convexly(const Relations& relations, std::vector<std::uint64_t>& set);
/// Whether two members are apart.
bool holds_apart(const Relations& relations, ConstRow set);

}  // namespace sinter::fuse::solve
