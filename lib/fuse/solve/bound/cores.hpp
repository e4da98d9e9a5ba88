// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds sets of terms that cannot all be satisfied.
#pragma once

#include "fuse/solve/bound/demands.hpp"
#include "fuse/solve/bound/paths.hpp"
#include "fuse/solve/bound/trees.hpp"

namespace sinter::fuse::solve {

/// Terms that cannot all be satisfied.
struct Core {
    std::vector<std::uint32_t> terms;  ///< increasing
    std::size_t demand;                ///< how often any clustering pays, at least, for one of these terms
};

/// Keeps references. `use`: for each term, whether its hubs are taken as satisfied.
class CoreFinder {
  public:
    using Use = std::vector<std::uint8_t>;

    CoreFinder(const Problem& problem, const Relations& relations, const std::vector<Hub>& hubs);
    CoreFinder(const CoreFinder&) = delete;
    CoreFinder& operator=(const CoreFinder&) = delete;

    /// A tree of hubs through `v`, which falls into as many pieces as it has ends; these are pairwise apart.
    std::optional<Core> tree(Vertex v, std::size_t reach, const Use& use);

    /// Cycles are looked for among the vertices that the hubs in use hold together at this moment.
    void begin_circles(const Use& use);
    /// A short cycle through `v` and a vertex that is apart from it.
    std::optional<Core> circle(Vertex v, const Use& use);

    /// The clusters that the hubs in use hold together.
    Labels labels(const Use& use) const;

  private:
    std::size_t nodes() const { return p_.count + hubs_.size(); }
    std::vector<Pair> arcs(const Use& use) const;
    bool has_conflict(Vertex v) const { return meet(r_.apart[v], with_[component_[v]]); }
    void collect(const Paths& paths, Vertex end, std::vector<std::uint32_t>& terms) const;

    const Problem& p_;
    const Relations& r_;
    const std::vector<Hub>& hubs_;
    Adjacency inner_, inner_turned_;  ///< arcs and hubs that were in use inside components
    Paths inner_to_, inner_back_;
    TreeFinder trees_;
    Labels component_;
    Bits with_;  ///< by component, for the first `count`: its vertices
};

}  // namespace sinter::fuse::solve
