// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Adjacency lists stored in two arrays, and strongly connected components.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

/// The successors of each vertex.
class Adjacency {
  public:
    explicit Adjacency(std::size_t count = 0, std::span<const Pair> arcs = {});
    std::span<const Vertex> operator[](Vertex v) const {
        return std::span(to_).subspan(first_[v], first_[v + 1] - first_[v]);
    }
    std::size_t count() const { return first_.size() - 1; }

  private:
    std::vector<std::uint32_t> first_;
    std::vector<Vertex> to_;
};

/// The strongly connected component of each vertex. Components are numbered against the arcs: an arc that leaves one goes to
/// one with a smaller number. Linear and not recursive (Tarjan).
struct Components {
    Labels of;
    std::size_t count = 0;
};
Components strong_components(const Adjacency& graph);

/// For each of the first `count` vertices: the first vertex of its component.
Labels component_labels(const Adjacency& graph, std::size_t count);

/// Adds arcs between `members` and a vertex that stands for all of them, in both directions.
void join(std::vector<Pair>& arcs, std::span<const Vertex> members, Vertex hub);

}  // namespace sinter::fuse::solve
