// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A problem some of whose vertices were merged, or a part of one.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

struct Node {
    Problem problem;
    std::vector<std::vector<Vertex>> members;  ///< by vertex: those of the problem asked for that it stands for
};

/// Vertices with one label become one. Linear. The labels must not merge what is separated, nor close a circle.
Node quotient(const Node& node, const Labels& labels);

/// Terms that no clustering satisfies become constants; those of `spread` are split into members that could still meet.
void settle(Node& node, const Relations& relations);

/// The parts between which nothing can be merged: strongly connected components of the arcs and of both directions of every
/// merge that a connecting term suggests. Costs of terms between parts go to `constant`. Linear.
struct Parts {
    std::vector<Node> nodes;
    double constant = 0;
};
Parts split(Node node);

/// Merges where that cannot make the best clustering worse: a vertex into the only one that reads it,
/// or into the only one it reads from. Near-linear.
Node contract(Node node);

}  // namespace sinter::fuse::solve
