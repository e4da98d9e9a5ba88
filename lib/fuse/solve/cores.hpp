// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Looks for terms not all of which can be satisfied.
#pragma once

#include "fuse/solve/node.hpp"
#include "fuse/solve/paths.hpp"
#include "fuse/solve/trees.hpp"

namespace sinter::fuse::solve {

/// Keeps references. `use`: by term, whether its hubs are taken as satisfied.
class CoreFinder {
  public:
    using Use = std::vector<std::uint8_t>;

    CoreFinder(const Problem& problem, const Relations& relations, const std::vector<Hub>& hubs);
    CoreFinder(const CoreFinder&) = delete;
    CoreFinder& operator=(const CoreFinder&) = delete;

    /// A tree of hubs through `v` that falls into as many pieces as it has ends, which are pairwise apart.
    std::optional<Core> tree(Vertex v, std::size_t reach, const Use& use);

    /// Circles are looked for among the vertices that hubs in use hold together now.
    void begin_circles(const Use& use);
    /// A short circle through `v` and something that is apart from it.
    std::optional<Core> circle(Vertex v, const Use& use);

    /// A circle through `v` and something that is apart from it whose terms are paid for less than once. `paid`: by term.
    std::optional<Core> cheap_circle(Vertex v, const std::vector<double>& paid);

    /// Where hubs in use hold no two together that are apart: why two vertices cannot be together besides; of several
    /// reasons, one with few terms. Nothing: they can, or it is not known.
    std::optional<std::vector<std::uint32_t>> reason(Pair pair, const Use& use);

    /// Of vertices that are together for nothing one through which there might be such a circle.
    std::optional<Vertex> may_have_cheap_circle(std::span<const Vertex> together, const std::vector<double>& paid);

    /// Terms because of which two vertices are together, if they are.
    std::optional<std::vector<std::uint32_t>> together(Pair pair, const Use& use);

    /// Further hubs, for everything but trees. Their terms have numbers beyond the problem's.
    void set_links(std::vector<Hub> links);

    /// What the hubs in use hold together.
    Labels labels(const Use& use) const;

  private:
    std::size_t nodes() const { return p_.count + hubs_.size(); }
    std::vector<Pair> arcs() const;
    std::vector<Pair> arcs(const Use& use) const;
    bool has_conflict(Vertex v) const { return meet(r_.apart[v], with_[component_[v]]); }
    template <class AnyPaths>
    void collect(const AnyPaths& paths, Vertex end, std::vector<std::uint32_t>& terms) const;
    std::optional<Core> cheap_circle(Vertex v, Vertex other, const std::vector<double>& paid);

    const Problem& p_;
    const Relations& r_;
    std::vector<Hub> hubs_;
    std::size_t own_hubs_;  ///< the others are links
    Adjacency forwards_, backwards_;
    Paths to_, back_;
    Adjacency inner_, inner_turned_;  ///< arcs and hubs that were in use inside components
    Paths inner_to_, inner_back_;
    CheapPaths cheap_to_, cheap_back_;
    std::vector<double> price_;
    TreeFinder trees_;
    Labels component_;
    Bits with_;  ///< by component, of the first `count`: its vertices
};

}  // namespace sinter::fuse::solve
