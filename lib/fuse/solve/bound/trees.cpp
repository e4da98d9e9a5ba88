// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/bound/trees.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

TreeFinder::TreeFinder(std::size_t vertices, const std::vector<Hub>& hubs, const Relations& relations)
    : hubs_(hubs),
      r_(relations),
      hubs_of_(vertices),
      apart_(relations.apart.words()),
      in_tree_(vertices, 0),
      seen_(vertices, 0),
      seen_hub_(hubs.size(), 0),
      by_(vertices),
      from_(vertices) {
    std::uint32_t terms = 0;
    for (std::uint32_t h = 0; h < hubs.size(); ++h) {
        terms = std::max(terms, hubs[h].term + 1);
        for (Vertex v : hubs[h].members) hubs_of_[v].push_back(h);
    }
    used_.assign(terms, 0);
}

void TreeFinder::begin(Vertex start) {
    ++tree_;
    tree_vertices_.assign(1, start);
    tree_hubs_.clear();
    in_tree_[start] = tree_;
    std::copy(r_.apart[start].begin(), r_.apart[start].end(), apart_.begin());
}

/// Other members of a hub in the tree cost no further hub, if the hub is paid for each of them.
void TreeFinder::search_from_tree() {
    ++search_;
    queue_.clear();
    for (Vertex v : tree_vertices_) enter(v, 0, none, v);
    for (std::uint32_t h : tree_hubs_)
        if (hubs_[h].counts)
            for (Vertex v : hubs_[h].members) enter(v, 0, none, v);
}

void TreeFinder::enter(Vertex v, std::size_t distance, std::uint32_t hub, Vertex from) {
    if (seen_[v] == search_) return;
    seen_[v] = search_;
    by_[v] = hub;
    from_[v] = from;
    queue_.push_back({v, distance});
}

void TreeFinder::attach(Vertex end, Tree& tree) {
    tree.ends.push_back(end);
    for (std::size_t w = 0; w < apart_.size(); ++w) apart_[w] &= r_.apart[end][w];
    for (Vertex v = end;; v = from_[v]) {
        if (in_tree_[v] != tree_) tree_vertices_.push_back(v);
        in_tree_[v] = tree_;
        if (by_[v] == none) return;
        tree_hubs_.push_back(by_[v]);
        tree.hubs.push_back(by_[v]);
        used_[hubs_[by_[v]].term] = tree_;
    }
}

}  // namespace sinter::fuse::solve
