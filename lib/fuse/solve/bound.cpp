// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take all terms as satisfied: then the members of each are merged, and so is everything on a circle through them. A pair
// that is apart on such a circle is a conflict, and the terms of the circle are a *core*: one of them has to be paid for.
// The smallest weight in it is added to the bound and taken off all its terms; again, until there is no conflict (as in
// core-guided MaxSAT). Heavy terms come first, so that light ones do not spend their weight. What is left of the circles is
// a feasible clustering. Where terms alone connect several vertices that are pairwise apart, all but one of the pieces they
// fall into have to be paid for, which is more than pair by pair.
//
// Added to that: of members of a spread term, and of all vertices, a set pairwise apart needs as many clusters. A spread
// term with such a set asks for one more unless every other member is with the one of the set that it is not apart from.
#include "fuse/solve/bound.hpp"

#include "fuse/solve/clique.hpp"
#include "fuse/solve/demands.hpp"
#include "fuse/solve/paths.hpp"
#include "fuse/solve/trees.hpp"

#include <algorithm>
#include <random>

namespace sinter::fuse::solve {

namespace {

void make_unique(std::vector<std::uint32_t>& terms) {
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

class CoreBound {
  public:
    CoreBound(const Problem& problem, const Relations& relations, const Deadline& deadline, std::uint32_t attempt)
        : p_(problem),
          r_(relations),
          deadline_(deadline),
          demands_(demands(problem, relations)),
          left_(problem.terms.size(), 0),
          forwards_(nodes(), arcs()),
          backwards_(nodes(), turned(arcs())),
          to_(problem.count, forwards_),
          back_(problem.count, backwards_),
          trees_(problem.count, demands_.hubs, relations),
          order_(relations.order) {
        std::minstd_rand random(attempt);
        if (attempt > 0) std::shuffle(order_.begin(), order_.end(), random);
    }

    Bound run() {
        lower_ = p_.constant + p_.launch * static_cast<double>(least_clusters(r_)) + demands_.lower;
        for (const Hub& hub : demands_.hubs) left_[hub.term] = p_.terms[hub.term].weight;
        for (double weight : strata()) {
            least_ = weight;
            remove_conflicts();
        }
        least_ = 0;
        return {lower_, labels(), pair_, rest()};
    }

  private:
    std::vector<Rest> rest() const {
        std::vector<Rest> result;
        for (const Hub& hub : demands_.hubs) {
            const Term& term = p_.terms[hub.term];
            bool connected = term.connects || term.kind == Term::Kind::together;
            if (left_[hub.term] > 0) result.push_back({left_[hub.term], hub.term, connected, hub.members});
        }
        return result;
    }

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

    /// Weights from which on terms take part, decreasing: about one for each order of magnitude that there is.
    std::vector<double> strata() const {
        std::vector<double> weights(left_), result;
        std::erase(weights, 0.0);
        std::sort(weights.begin(), weights.end(), std::greater<>());
        for (double weight : weights)
            if (result.empty() || weight < result.back() / 8) result.push_back(weight / 8);
        if (!result.empty()) result.back() = 0;
        return result;
    }

    /// Short circles first: they spend the least weight.
    void remove_conflicts() {
        for (std::size_t reach : {std::size_t{1}, std::size_t{3}, p_.count})
            for (Vertex v : order_)
                while (remove_tree(v, reach)) {
                }
        component_ = components();
        for (Vertex v : order_)
            while (remove_conflict(v)) {
            }
    }

    /// A tree of hubs falls into as many pieces as it has ends: all but one of them are paid for. A term that several of its
    /// hubs belong to may be paid for once for all of them.
    bool remove_tree(Vertex v, std::size_t reach) {
        if (deadline_.passed()) return false;
        auto tree = trees_.find(v, reach, [&](std::size_t hub) { return active(hub); });
        if (!tree) return false;
        std::vector<std::uint32_t> terms;
        for (std::uint32_t h : tree->hubs) terms.push_back(demands_.hubs[h].term);
        make_unique(terms);
        std::size_t repeated = tree->hubs.size() - terms.size(), pieces = tree->ends.size() - 1;
        if (pieces <= repeated) return false;
        pay(std::move(terms), static_cast<double>(pieces - repeated), tree->link);
        return true;
    }

    Labels components() const { return strong_components(Adjacency(nodes(), arcs(true))).of; }

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
        pay_for_circle(v, nearest);
        return true;
    }

    void pay_for_circle(Vertex v, Vertex other) {
        std::vector<Step> core;
        collect(to_, v, other, core);
        collect(back_, v, other, core);
        auto lighter = [&](const Step& a, const Step& b) { return left_[a.term] < left_[b.term]; };
        const Step& heart = *std::max_element(core.begin(), core.end(), lighter);
        std::vector<std::uint32_t> terms;
        for (const Step& step : core) terms.push_back(step.term);
        make_unique(terms);
        pay(std::move(terms), 1, heart.members);
    }

    /// `times` as much as the lightest of `terms` weighs.
    void pay(std::vector<std::uint32_t> terms, double times, Pair link) {
        double weight = left_[terms[0]];
        for (std::uint32_t t : terms) weight = std::min(weight, left_[t]);
        for (std::uint32_t t : terms) left_[t] -= weight;
        lower_ += weight * times;
        if (weight > most_) most_ = weight, pair_ = link;
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

    Labels labels() const { return component_labels(Adjacency(nodes(), arcs(true)), p_.count); }

    const Problem& p_;
    const Relations& r_;
    const Deadline& deadline_;
    Demands demands_;
    std::vector<double> left_;  ///< by term: weight not paid for yet
    Adjacency forwards_, backwards_;
    Paths to_, back_;
    TreeFinder trees_;
    std::vector<Vertex> order_;  ///< in which vertices are looked at
    Labels component_;
    double lower_ = 0, least_ = 0, most_ = 0;
    std::optional<Pair> pair_;
};

}  // namespace

Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline, std::uint32_t attempt) {
    return CoreBound(problem, relations, deadline, attempt).run();
}

}  // namespace sinter::fuse::solve
