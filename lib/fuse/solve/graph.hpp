// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Adjacency in two arrays, and strongly connected components.
#pragma once

#include "fuse/solve/problem.hpp"

namespace sinter::fuse::solve {

/// The successors of each vertex.
class Adjacency {
  public:
    Adjacency(std::size_t count, std::span<const Pair> arcs);
    std::span<const Vertex> operator[](Vertex v) const {
        return std::span(to_).subspan(first_[v], first_[v + 1] - first_[v]);
    }
    std::size_t count() const { return first_.size() - 1; }

  private:
    std::vector<std::uint32_t> first_;
    std::vector<Vertex> to_;
};

/// By vertex: its strongly connected component. Components are numbered against the arcs: an arc that leaves one goes to a
/// smaller number. Linear; not recursive (Tarjan).
struct Components {
    Labels of;
    std::size_t count = 0;
};
Components strong_components(const Adjacency& graph);

/// Arcs of the problem, and between the members of each term and a vertex that stands for it, in both directions.
/// `active(term)` says which terms.
template <class Active>
std::vector<Pair> arcs_with_terms(const Problem& problem, Active active) {
    std::vector<Pair> arcs = problem.arcs;
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
        if (!active(t)) continue;
        auto hub = static_cast<Vertex>(problem.count + t);
        for (Vertex v : problem.terms[t].members) arcs.insert(arcs.end(), {{v, hub}, {hub, v}});
    }
    return arcs;
}

}  // namespace sinter::fuse::solve
