// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take all terms as satisfied: then the members of each are merged, and so is everything on a circle through them. A pair
// that is apart on such a circle is a conflict, and the terms of the circle are a *core*: one of them has to be paid for. The
// smallest weight in it is added to the bound and taken off all its terms; again, until there is no conflict (as in
// core-guided MaxSAT). Heavy terms come first, so that light ones do not spend their weight. What is left of the circles is
// a feasible clustering.
//
// Added to that: of members of a spread term, and of all vertices, a set pairwise apart needs as many clusters. A spread term
// with such a set asks for one more unless every other member is with the one of the set that it is not apart from.
#include "fuse/solve/bound.hpp"

#include "fuse/solve/clique.hpp"
#include "fuse/solve/paths.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

/// Members of a term that have to share a cluster, else its weight is to be paid.
struct Hub {
    std::uint32_t term;
    std::vector<Vertex> members;
};

/// What costs each term at least, and what it asks for so that it is not more.
class Demands {
  public:
    Demands(const Problem& problem, const Relations& relations) : r_(relations) {
        for (std::uint32_t t = 0; t < problem.terms.size(); ++t) {
            const Term& term = problem.terms[t];
            if (term.weight > 0) add(term, t);
        }
    }
    std::vector<Hub> hubs;
    double lower = 0;

  private:
    void add(const Term& term, std::uint32_t t) {
        std::vector<Vertex> apart;
        if (term.kind == Term::Kind::spread) apart = clique(r_, term.members);
        if (apart.size() < 2) {
            hubs.push_back({t, term.members});
            return;
        }
        lower += term.weight * static_cast<double>(apart.size() - 1);
        add_groups(term, t, apart);
    }

    /// Each of `apart` with the members that are apart from all others of `apart`.
    void add_groups(const Term& term, std::uint32_t t, const std::vector<Vertex>& apart) {
        std::vector<std::vector<Vertex>> groups(apart.size());
        for (Vertex v : term.members) {
            auto meets = [&](Vertex a) { return !holds(r_.apart[v], a); };
            auto first = std::find_if(apart.begin(), apart.end(), meets);
            if (first != apart.end() && std::none_of(first + 1, apart.end(), meets))
                groups[static_cast<std::size_t>(first - apart.begin())].push_back(v);
        }
        for (auto& group : groups)
            if (group.size() > 1 && !has_apart(group)) hubs.push_back({t, std::move(group)});
    }

    bool has_apart(const std::vector<Vertex>& group) const { return clique(r_, group).size() > 1; }

    const Relations& r_;
};

class CoreBound {
  public:
    CoreBound(const Problem& problem, const Relations& relations, const Deadline& deadline)
        : p_(problem),
          r_(relations),
          deadline_(deadline),
          demands_(problem, relations),
          left_(problem.terms.size(), 0),
          forwards_(nodes(), arcs()),
          backwards_(nodes(), turned(arcs())),
          to_(problem.count, forwards_),
          back_(problem.count, backwards_) {}

    Bound run() {
        lower_ = p_.constant + p_.launch * static_cast<double>(least_clusters(r_)) + demands_.lower;
        for (const Hub& hub : demands_.hubs) left_[hub.term] = p_.terms[hub.term].weight;
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
    std::size_t nodes() const { return p_.count + demands_.hubs.size(); }
    bool active(std::size_t hub) const {
        double left = left_[demands_.hubs[hub].term];
        return left > 0 && left >= least_;
    }

    /// Arcs, and those of hubs: all of them, or the active ones.
    std::vector<Pair> arcs(bool only_active = false) const {
        std::vector<Pair> result = p_.arcs;
        for (std::size_t h = 0; h < demands_.hubs.size(); ++h)
            if (!only_active || active(h)) join(result, demands_.hubs[h].members, static_cast<Vertex>(p_.count + h));
        return result;
    }

    static std::vector<Pair> turned(std::vector<Pair> arcs) {
        for (auto& [from, to] : arcs) std::swap(from, to);
        return arcs;
    }

    void remove_conflicts() {
        component_ = components();
        for (Vertex v : r_.order)
            while (remove_conflict(v)) {
            }
    }

    Labels components() const {
        return strong_components(Adjacency(nodes(), arcs(true))).of;
    }

    bool remove_conflict(Vertex v) {
        bool any = false;
        for_each(r_.apart[v], [&](std::size_t x) { any = any || component_[x] == component_[v]; });
        if (!any || deadline_.passed()) return false;
        auto is_active = [&](std::size_t hub) { return active(hub); };
        to_.find(v, component_, is_active);
        back_.find(v, component_, is_active);
        Vertex nearest = Paths::unreached;
        std::uint32_t least = Paths::unreached;
        for_each(r_.apart[v], [&](std::size_t x) {
            auto other = static_cast<Vertex>(x);
            if (to_.distance(other) == Paths::unreached || back_.distance(other) == Paths::unreached) return;
            std::uint32_t distance = to_.distance(other) + back_.distance(other);
            if (distance < least) least = distance, nearest = other;
        });
        if (nearest == Paths::unreached) return false;
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
            core.push_back({demands_.hubs[before - p_.count].term, {paths.from(before), v}});
        }
    }

    Labels labels() const {
        Labels all = components();
        all.resize(p_.count);
        Labels first(nodes(), Paths::unreached);
        for (Vertex v = 0; v < p_.count; ++v) {
            if (first[all[v]] == Paths::unreached) first[all[v]] = v;
            all[v] = first[all[v]];
        }
        return all;
    }

    const Problem& p_;
    const Relations& r_;
    const Deadline& deadline_;
    Demands demands_;
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
