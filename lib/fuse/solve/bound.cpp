// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take all terms as satisfied: then the members of each are merged, and so is everything on a circle through them. A pair
// that is apart on such a circle is a conflict, and the terms of the circle are a *core*: one of them has to be paid for. The
// smallest weight in it is added to the bound and taken off all its terms; again, until there is no conflict (as in
// core-guided MaxSAT). Heavy terms come first, so that light ones do not spend their weight. What is left of the circles is
// a feasible clustering.
//
// Added to that: of members of a spread term, and of all vertices, a set pairwise apart needs as many clusters.
#include "fuse/solve/bound.hpp"

#include "fuse/solve/graph.hpp"

#include <algorithm>
#include <deque>

namespace sinter::fuse::solve {

namespace {

constexpr auto nowhere = static_cast<std::uint32_t>(-1);

/// The size of a set of vertices that are pairwise apart, found greedily; at least 2 if there is such a pair.
std::size_t clique(const Relations& r, std::vector<Vertex> vertices) {
    std::vector<std::uint64_t> all(r.apart.words(), 0);
    for (Vertex v : vertices) put(all, v);
    std::vector<std::size_t> degree(r.order.size(), 0);
    for (Vertex v : vertices)
        for (std::size_t w = 0; w < all.size(); ++w)
            degree[v] += static_cast<std::size_t>(__builtin_popcountll(r.apart[v][w] & all[w]));
    std::stable_sort(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) { return degree[a] > degree[b]; });
    std::vector<Vertex> chosen;
    for (Vertex v : vertices)
        if (std::all_of(chosen.begin(), chosen.end(), [&](Vertex c) { return holds(r.apart[v], c); })) chosen.push_back(v);
    return chosen.size();
}

/// The longest chain along the arcs whose neighbours are apart: all of it is, because separations are closed.
std::size_t longest_chain(const Relations& r) {
    std::vector<std::size_t> length(r.order.size(), 1);
    std::size_t longest = 1;
    for (Vertex v : r.order) {
        for_each(r.above[v], [&](std::size_t u) {
            length[v] = std::max(length[v], length[u] + (holds(r.apart[v], u) ? 1 : 0));
        });
        longest = std::max(longest, length[v]);
    }
    return longest;
}

std::size_t least_clusters(const Relations& r) { return std::max(longest_chain(r), clique(r, r.order)); }

/// Shortest paths, in terms passed, over arcs and active terms. Vertices first, then terms.
class Paths {
  public:
    Paths(std::size_t count, const Adjacency& graph)
        : count_(count), graph_(graph), distance_(graph.count(), nowhere), from_(graph.count()) {}

    /// From `start`, inside its component, through active terms only.
    template <class Active>
    void find(Vertex start, const Labels& component, Active active) {
        for (Vertex v : reached_) distance_[v] = nowhere;
        reached_.clear();
        queue_.assign(1, start);
        enter(start, 0, start);
        while (!queue_.empty()) {
            Vertex v = queue_.front();
            queue_.pop_front();
            for (Vertex to : graph_[v]) {
                bool is_term = to >= count_;
                std::uint32_t distance = distance_[v] + is_term;
                if (component[to] != component[start] || distance >= distance_[to]) continue;
                if (is_term && !active(to - count_)) continue;
                enter(to, distance, v);
                is_term ? queue_.push_back(to) : queue_.push_front(to);
            }
        }
    }

    std::uint32_t distance(Vertex v) const { return distance_[v]; }
    Vertex from(Vertex v) const { return from_[v]; }

  private:
    void enter(Vertex v, std::uint32_t distance, Vertex from) {
        if (distance_[v] == nowhere) reached_.push_back(v);
        distance_[v] = distance;
        from_[v] = from;
    }

    std::size_t count_;
    const Adjacency& graph_;
    std::vector<std::uint32_t> distance_;
    std::vector<Vertex> from_;
    std::vector<Vertex> reached_;
    std::deque<Vertex> queue_;
};

class CoreBound {
  public:
    CoreBound(const Problem& problem, const Relations& relations, const Deadline& deadline)
        : p_(problem),
          r_(relations),
          deadline_(deadline),
          left_(problem.terms.size(), 0),
          forwards_(nodes(), arcs_with_terms(problem, [](std::size_t) { return true; })),
          backwards_(nodes(), turned()),
          to_(problem.count, forwards_),
          back_(problem.count, backwards_) {}

    Bound run() {
        lower_ = p_.constant + p_.launch * static_cast<double>(least_clusters(r_));
        pay_for_splits();
        double heaviest = left_.empty() ? 0 : *std::max_element(left_.begin(), left_.end());
        for (least_ = heaviest; heaviest > 0; least_ /= 8) {
            bool last = least_ < heaviest * 1e-9;
            if (last) least_ = 0;
            remove_conflicts();
            if (last) break;
        }
        return {lower_, labels(), pair_};
    }

  private:
    std::size_t nodes() const { return p_.count + p_.terms.size(); }
    bool active(std::size_t t) const { return left_[t] > 0 && left_[t] >= least_; }

    std::vector<Pair> turned() const {
        auto arcs = arcs_with_terms(p_, [](std::size_t) { return true; });
        for (auto& [from, to] : arcs) std::swap(from, to);
        return arcs;
    }

    /// Spread terms some of whose members are apart: they are paid for as often as these are, and take no part in cores.
    void pay_for_splits() {
        for (std::size_t t = 0; t < p_.terms.size(); ++t) {
            const Term& term = p_.terms[t];
            std::size_t apart = term.kind == Term::Kind::spread ? clique(r_, term.members) : 1;
            lower_ += term.weight * static_cast<double>(apart - 1);
            left_[t] = apart > 1 ? 0 : term.weight;
        }
    }

    void remove_conflicts() {
        component_ = components();
        for (Vertex v : r_.order)
            while (remove_conflict(v)) {
            }
    }

    Labels components() const {
        return strong_components(Adjacency(nodes(), arcs_with_terms(p_, [&](std::size_t t) { return active(t); }))).of;
    }

    bool remove_conflict(Vertex v) {
        bool any = false;
        for_each(r_.apart[v], [&](std::size_t x) { any = any || component_[x] == component_[v]; });
        if (!any || deadline_.passed()) return false;
        auto is_active = [&](std::size_t t) { return active(t); };
        to_.find(v, component_, is_active);
        back_.find(v, component_, is_active);
        Vertex nearest = nowhere;
        std::uint32_t least = nowhere;
        for_each(r_.apart[v], [&](std::size_t x) {
            auto other = static_cast<Vertex>(x);
            if (to_.distance(other) == nowhere || back_.distance(other) == nowhere) return;
            std::uint32_t distance = to_.distance(other) + back_.distance(other);
            if (distance < least) least = distance, nearest = other;
        });
        if (nearest == nowhere) return false;
        pay(v, nearest);
        return true;
    }

    void pay(Vertex v, Vertex other) {
        std::vector<Step> core;
        collect(to_, v, other, core);
        collect(back_, v, other, core);
        auto lighter = [&](const Step& a, const Step& b) { return left_[a.term] < left_[b.term]; };
        double weight = left_[std::min_element(core.begin(), core.end(), lighter)->term];
        const Step& heart = *std::max_element(core.begin(), core.end(), lighter);
        if (weight > most_) most_ = weight, pair_ = heart.members;
        std::vector<std::uint32_t> terms;
        for (const Step& step : core) terms.push_back(step.term);
        std::sort(terms.begin(), terms.end());
        terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
        for (std::uint32_t t : terms) left_[t] -= weight;
        lower_ += weight;
    }

    struct Step {
        std::uint32_t term;
        Pair members;  ///< by which the path enters and leaves it
    };
    void collect(const Paths& paths, Vertex start, Vertex end, std::vector<Step>& core) const {
        for (Vertex v = end; v != start; v = paths.from(v)) {
            Vertex before = paths.from(v);
            if (before < p_.count) continue;
            core.push_back({static_cast<std::uint32_t>(before - p_.count), {paths.from(before), v}});
        }
    }

    Labels labels() const {
        Labels all = components();
        all.resize(p_.count);
        Labels first(nodes(), nowhere);
        for (Vertex v = 0; v < p_.count; ++v) {
            if (first[all[v]] == nowhere) first[all[v]] = v;
            all[v] = first[all[v]];
        }
        return all;
    }

    const Problem& p_;
    const Relations& r_;
    const Deadline& deadline_;
    std::vector<double> left_;  ///< by term: weight not paid for yet
    Adjacency forwards_, backwards_;
    Paths to_, back_;
    Labels component_;
    double lower_ = 0, least_ = 0, most_ = 0;
    std::optional<Pair> pair_;
};

}  // namespace

Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline) {
    return CoreBound(problem, relations, deadline).run();
}

}  // namespace sinter::fuse::solve
