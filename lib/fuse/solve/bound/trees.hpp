// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Trees of hubs between vertices that are pairwise apart.
#pragma once

#include "fuse/solve/bound/demands.hpp"

#include <deque>

namespace sinter::fuse::solve {

struct Tree {
    std::vector<Vertex> ends;  ///< pairwise apart
    std::vector<std::uint32_t> hubs;
};

/// Grows trees from any vertex: the next end is the nearest vertex that is apart from all ends.
class TreeFinder {
  public:
    TreeFinder(std::size_t vertices, const std::vector<Hub>& hubs, const Relations& relations);

    /// No end is further than `reach` hubs from the others. `active(hub)` says which hubs may be used.
    template <class Active>
    std::optional<Tree> find(Vertex start, std::size_t reach, Active active) {
        Tree tree{{start}, {}};
        begin(start);
        while (auto next = nearest(reach, active)) attach(*next, tree);
        if (tree.ends.size() < 2) return std::nullopt;
        return tree;
    }

  private:
    struct Visit {
        Vertex vertex;
        std::size_t distance;
    };
    static constexpr auto none = static_cast<std::uint32_t>(-1);

    void begin(Vertex start);
    void search_from_tree();
    void enter(Vertex v, std::size_t distance, std::uint32_t hub, Vertex from);
    void attach(Vertex end, Tree& tree);
    bool is_end(Vertex v) const { return holds(ConstRow(apart_), v); }

    template <class Active>
    std::optional<Vertex> nearest(std::size_t reach, Active active) {
        search_from_tree();
        while (!queue_.empty()) {
            auto [v, distance] = queue_.front();
            queue_.pop_front();
            if (is_end(v)) return v;
            if (distance == reach) continue;
            for (std::uint32_t h : hubs_of_[v]) {
                if (seen_hub_[h] == search_ || used_[hubs_[h].term] == tree_ || !active(h)) continue;
                seen_hub_[h] = search_;
                for (Vertex other : hubs_[h].members) enter(other, distance + 1, h, v);
            }
        }
        return std::nullopt;
    }

    const std::vector<Hub>& hubs_;
    const Relations& r_;
    std::vector<std::vector<std::uint32_t>> hubs_of_;  ///< by vertex
    std::vector<std::uint64_t> apart_;                 ///< the vertices that are apart from all ends
    std::vector<Vertex> tree_vertices_;
    std::vector<std::uint32_t> tree_hubs_;
    std::uint32_t tree_ = 0, search_ = 0;
    std::vector<std::uint32_t> in_tree_, seen_;  ///< by vertex: the last tree that it was in; the last search in which it
                                                 ///< was met
    std::vector<std::uint32_t> seen_hub_;        ///< by hub
    std::vector<std::uint32_t> used_;            ///< by term: the last tree it was used in
    std::vector<std::uint32_t> by_;              ///< by vertex: the hub it was met through
    std::vector<Vertex> from_;                   ///< by vertex: the vertex it was met from
    std::deque<Visit> queue_;
};

}  // namespace sinter::fuse::solve
