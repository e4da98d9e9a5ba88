// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Consequences of arcs and separations, as bit sets: (count)² / 64 words, and about as many steps per arc.
#pragma once

#include "fuse/solve/problem/bits.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

struct Relations {
    std::vector<Vertex> order;  ///< the vertices, sorted along the arcs
    Bits above, below;          ///< by vertex: what reaches it; what it reaches
    /// By vertex: those with which it never shares a cluster. The relation is symmetric, and closed: two vertices are also
    /// apart if vertices on paths between them are, because merging the two would merge all of those.
    Bits apart;
};

/// Separates vertices with equal patterns of which one reaches the other, unless the pattern is repeatable; pairs that
/// follow from these are left out. This has to be done before vertices are merged, except by contract(), because not all
/// members of a cluster reach what the cluster reaches.
void separate_patterns(Problem& problem);

/// The arcs of the problem must not form a cycle, and its patterns have to be separated.
Relations relate(const Problem& problem);

/// Adds all vertices on paths between members of `set`.
void close_convexly(const Relations& relations, std::vector<std::uint64_t>& set);
/// True if two members are apart.
bool holds_apart(const Relations& relations, ConstRow set);

}  // namespace sinter::fuse::solve
