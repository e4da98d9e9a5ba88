// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A problem of which some vertices were merged, or a part of a problem.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

struct Node {
    Problem problem;
    std::vector<std::vector<Vertex>> members;  ///< by vertex: the vertices of the original problem that it stands for
};

/// Merges vertices with the same label. Linear. The labels must neither merge what is separated nor close a cycle.
Node quotient(const Node& node, const Labels& labels);

/// Turns terms that no clustering satisfies into constants, and splits spread terms into sets of members that can still
/// meet.
void settle(Node& node, const Relations& relations);

/// The parts between which nothing can be merged: the strongly connected components of the arcs and of both directions of
/// every merge that a connecting term suggests. The costs of terms between parts go to `constant`. Linear.
struct Parts {
    std::vector<Node> nodes;
    double constant = 0;
};
Parts split(Node node);

/// Merges where that cannot make the best clustering worse: a vertex into the only one that reads it, or into the only one
/// from which it reads. Near-linear.
Node contract(Node node);

}  // namespace sinter::fuse::solve
