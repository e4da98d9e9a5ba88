// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take a clustering in which u and the only vertex v that reads it are apart, and move u to v. What is before u stays before
// it, nothing else comes after it, and v's separations contain u's: the clustering stays feasible. It gains the terms of u
// and v alone, and loses at most those that u shares with others but not with v; u's old cluster falls into at most as many
// pieces as u has terms that connect them. The mirror image of this moves v to the only vertex that it reads from.
#include "fuse/solve/problem/graph.hpp"
#include "fuse/solve/problem/node.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::fuse::solve {

namespace {

class Contraction {
  public:
    explicit Contraction(const Problem& problem)
        : p_(problem), into_(p_.count), apart_(p_.count), terms_(p_.count), movable_(p_.movable) {
        std::iota(into_.begin(), into_.end(), 0);
        for (auto [a, b] : p_.separations) apart_[a].push_back(b), apart_[b].push_back(a);
        for (auto& list : apart_) std::sort(list.begin(), list.end());
        for (std::uint32_t t = 0; t < p_.terms.size(); ++t)
            for (Vertex v : p_.terms[t].members) terms_[v].push_back(t);
    }

    /// Moves vertices of `order` to the only vertex that `next` leads to. Returns true if any was moved.
    bool sweep(std::span<const Vertex> order, const Adjacency& next) {
        bool any = false;
        for (Vertex v : order) {
            auto anchor = only(next[v]);
            if (!anchor || !is_safe(v, *anchor)) continue;
            move(v, *anchor);
            any = true;
        }
        return any;
    }

    Labels labels() {
        for (Vertex v = 0; v < into_.size(); ++v) into_[v] = find(v);
        return into_;
    }

  private:
    Vertex find(Vertex v) {
        while (into_[v] != v) v = into_[v] = into_[into_[v]];
        return v;
    }

    std::optional<Vertex> only(std::span<const Vertex> next) {
        if (next.empty()) return std::nullopt;
        Vertex first = find(next[0]);
        for (Vertex v : next)
            if (find(v) != first) return std::nullopt;
        return first;
    }

    bool is_safe(Vertex v, Vertex anchor) {
        if (!movable_[v] || !movable_[anchor] || p_.patterns[v] != 0) return false;
        const auto &own = apart_[v], &its = apart_[anchor];
        if (!std::includes(its.begin(), its.end(), own.begin(), own.end())) return false;
        double gain = 0, loss = 0, pieces = 0;
        for (std::uint32_t t : terms_[v]) {
            const Term& term = p_.terms[t];
            Share share = share_of(term, v, anchor);
            if (share == Share::both) gain += term.weight;
            if (share == Share::others) loss += term.weight;
            if (share != Share::both && term.connects) ++pieces;
        }
        return gain >= loss + p_.launch * std::max(0.0, pieces - 1);
    }

    enum class Share { both, all, others };
    /// Says if a term of v's is about v and its anchor, or about others as well, or about others but not the anchor.
    Share share_of(const Term& term, Vertex v, Vertex anchor) {
        if (term.members.size() > tuning::most_members) return Share::others;
        bool has_anchor = false, has_others = false;
        for (Vertex m : term.members) {
            if (m == v) continue;
            (find(m) == anchor ? has_anchor : has_others) = true;
        }
        return !has_others ? Share::both : has_anchor ? Share::all : Share::others;
    }

    void move(Vertex v, Vertex anchor) {
        into_[v] = anchor;
        apart_[v].clear();
    }

    const Problem& p_;
    Labels into_;
    std::vector<std::vector<Vertex>> apart_;         ///< by vertex that was not moved
    std::vector<std::vector<std::uint32_t>> terms_;  ///< by vertex, for that vertex alone
    std::vector<bool> movable_;
};

std::vector<Pair> turned(std::vector<Pair> arcs) {
    for (auto& [from, to] : arcs) std::swap(from, to);
    return arcs;
}

/// Sweeps once, from the last vertex to the first or from the first to the last.
std::optional<Labels> sweep(const Problem& p, bool upwards) {
    Adjacency below(p.count, p.arcs), above(p.count, turned(p.arcs));
    const Adjacency& next = upwards ? below : above;
    Labels rank = strong_components(next).of;  // there are no cycles: later vertices have smaller numbers
    std::vector<Vertex> order(p.count);
    for (Vertex v = 0; v < p.count; ++v) order[rank[v]] = v;
    Contraction contraction(p);
    if (!contraction.sweep(order, next)) return std::nullopt;
    return contraction.labels();
}

}  // namespace

Node contract(Node node) {
    for (bool upwards = true, unchanged = false;; upwards = !upwards) {
        auto labels = sweep(node.problem, upwards);
        if (!labels && unchanged) return node;
        unchanged = !labels;
        if (labels) node = quotient(node, *labels);
    }
}

}  // namespace sinter::fuse::solve
