// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take all terms as satisfied: then the members of each are merged, and so is everything on a circle through them. A pair
// that is apart on such a circle is a conflict, and the terms of the circle are a *core*: one of them has to be paid for.
// Where terms alone connect several vertices that are pairwise apart, all but one of the pieces they fall into have to be
// paid for, which is more than pair by pair.
//
// First the smallest weight in a core is added to the bound and taken off all its terms; again, until there is no conflict
// (as in core-guided MaxSAT). Heavy terms come first, so that light ones do not spend their weight. Then the cores are the
// rows of a linear program, which is solved again with cores that its solution does not pay for until there are none
// (implicit hitting sets: Davies and Bacchus, Solving MAXSAT by solving a sequence of simpler SAT instances, 2011): that
// distributes weights among overlapping cores. Cores that a case of the problem inherits spare it the beginning.
//
// Added to that: of members of a spread term, and of all vertices, a set pairwise apart needs as many clusters. A spread
// term with such a set asks for one more unless every other member is with the one of the set that it is not apart from.
#include "fuse/solve/bound.hpp"

#include "fuse/solve/clique.hpp"
#include "fuse/solve/consequences.hpp"
#include "fuse/solve/covering.hpp"
#include "fuse/solve/known_cores.hpp"

#include <algorithm>
#include <limits>

namespace sinter::fuse::solve {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// What is paid for by less is not paid for: solutions are inexact.
constexpr double tolerance = 1e-6;
/// By how much a core has to be unpaid to be worth a row.
constexpr double violation = 1e-3;
/// In how many of the cores that are found at a time a term may be.
constexpr int most_uses = 4;

/// Weights from which on terms take part, decreasing: about one for each order of magnitude that there is.
std::vector<double> strata(std::vector<double> weights) {
    std::vector<double> result;
    std::erase(weights, 0.0);
    std::sort(weights.begin(), weights.end(), std::greater<>());
    for (double weight : weights)
        if (result.empty() || weight < result.back() / 8) result.push_back(weight / 8);
    if (result.empty()) result.push_back(0);
    result.back() = 0;
    return result;
}

class CoreBound {
  public:
    CoreBound(const Problem& problem, const Relations& relations, const Node& node, const Deadline& deadline, double limit)
        : p_(problem),
          r_(relations),
          node_(node),
          deadline_(deadline),
          limit_(limit),
          demands_(demands(problem, relations)),
          base_(problem.constant + problem.launch * static_cast<double>(least_clusters(relations)) + demands_.lower),
          finder_(problem, relations, demands_.hubs),
          consequences_(problem, relations, demands_.clusters, finder_),
          weights_(problem.terms.size(), 0),
          use_(problem.terms.size(), 0),
          paid_(problem.terms.size(), 0) {
        for (const Hub& hub : demands_.hubs) weights_[hub.term] = p_.terms[hub.term].weight;
    }

    Bound run() {
        Covering program(weights_);
        Bound best;
        if (node_.cores) {
            auto cores = inherited(node_, p_, demands_.clusters);
            if (!cores) return {infinite, {}, {}, nullptr};
            add(program, *cores);
        } else {
            best = greedy();
            if (best.lower >= limit_ || deadline_.passed()) return best;
            add(program, cores_);
        }
        if (auto distributed = distribute(program)) return std::move(*distributed);
        return node_.cores ? greedy() : best;
    }

    Bound pack() {
        Bound bound = greedy();
        bound.cores = std::make_shared<KnownCores>(KnownCores{std::move(cores_), demands_.clusters});
        return bound;
    }

  private:
    Bound greedy() {
        left_ = weights_;
        lower_ = base_;
        for (double least : strata(weights_)) {
            use_left(least);
            for (std::size_t reach : {std::size_t{1}, std::size_t{3}, p_.count})
                for (Vertex v : r_.order)
                    while (!deadline_.passed() && pay(finder_.tree(v, reach, use_), least)) {
                    }
            finder_.begin_circles(use_);
            for (Vertex v : r_.order)
                while (!deadline_.passed() && pay(finder_.circle(v, use_), least)) {
                }
        }
        use_left(0);
        return result(finder_.labels(use_));
    }

    void use_left(double least) {
        for (std::size_t t = 0; t < left_.size(); ++t) use_[t] = left_[t] > 0 && left_[t] >= least;
    }

    bool pay(std::optional<Core> core, double least) {
        if (!core) return false;
        double weight = left_[core->terms[0]];
        for (std::uint32_t t : core->terms) weight = std::min(weight, left_[t]);
        for (std::uint32_t t : core->terms) {
            left_[t] -= weight;
            use_[t] = left_[t] > 0 && left_[t] >= least;
        }
        lower_ += weight * static_cast<double>(core->demand);
        cores_.push_back(std::move(*core));
        return true;
    }

    static void add(Covering& program, const std::vector<Core>& cores) {
        for (const Core& core : cores) program.add(core.terms, static_cast<double>(core.demand));
    }

    /// Nothing: the program could not be solved.
    std::optional<Bound> distribute(Covering& program) {
        for (double least : strata(weights_)) {
            do {
                if (!program.solve(deadline_)) return std::nullopt;
                take_prices(program);
                find_unpaid(program, lower_ < limit_ ? least : infinite);
                std::erase_if(cores_, [&](const Core& core) { return is_paid(program, core); });
                add(program, cores_);
            } while (!cores_.empty() && !deadline_.passed());
            if (lower_ >= limit_ || deadline_.passed()) break;
        }
        const bool is_feasible = lower_ < limit_ && !deadline_.passed();
        Bound bound = result(is_feasible ? consequences_.labels() : finder_.labels(use_));
        std::vector<Core> tight;
        for (Covering::Row& row : program.tight())
            tight.push_back({std::move(row.columns), static_cast<std::size_t>(row.demand)});
        bound.cores = std::make_shared<KnownCores>(KnownCores{std::move(tight), demands_.clusters});
        return bound;
    }

    static bool is_paid(const Covering& program, const Core& core) {
        double sum = 0;
        for (std::uint32_t t : core.terms) sum += program.value(t);
        return sum > static_cast<double>(core.demand) - violation;
    }

    void take_prices(const Covering& program) {
        auto prices = program.prices();
        lower_ = base_ + prices.lower;
        left_ = std::move(prices.left);
    }

    /// Of terms that weigh `least` cores that are not paid for: easy ones first.
    void find_unpaid(const Covering& program, double least) {
        cores_.clear();
        if (least == infinite) return;
        for (std::uint32_t t = 0; t < paid_.size(); ++t) paid_[t] = weights_[t] < least ? infinite : program.value(t);
        use_paid(tolerance);
        find_circles();
        if (!cores_.empty()) return;
        use_paid(tolerance);
        cores_ = consequences_.find(use_, paid_);
        if (cores_.empty()) find_rounded();
        if (cores_.empty()) find_cheap();
    }

    /// Terms that are paid for by less.
    void use_paid(double most) {
        for (std::size_t t = 0; t < paid_.size(); ++t) use_[t] = paid_[t] < most;
    }

    void find_circles() {
        std::vector<int> uses(use_.size(), 0);
        finder_.begin_circles(use_);
        for (Vertex v : r_.order) {
            if (deadline_.passed()) return;
            auto core = finder_.circle(v, use_);
            if (!core) continue;
            for (std::uint32_t t : core->terms) use_[t] = ++uses[t] < most_uses;
            cores_.push_back(std::move(*core));
        }
    }

    void find_rounded() {
        use_paid(0.5 + tolerance);
        finder_.begin_circles(use_);
        for (Vertex v : r_.order) {
            auto core = finder_.circle(v, use_);
            double sum = 0;
            for (std::uint32_t t : core ? core->terms : std::vector<std::uint32_t>()) sum += paid_[t];
            if (core && sum < 1 - violation) cores_.push_back(std::move(*core));
        }
    }

    void find_cheap() {
        use_paid(tolerance);
        const auto together = clusters(finder_.labels(use_));
        use_paid(1 - tolerance);
        finder_.begin_circles(use_);
        for (const auto& cluster : together) {
            if (deadline_.passed()) return;
            const auto v = finder_.may_have_cheap_circle(cluster, paid_);
            if (!v) continue;
            if (auto core = finder_.cheap_circle(*v, paid_)) cores_.push_back(std::move(*core));
        }
    }

    Bound result(Labels labels) const { return {lower_, std::move(labels), rest(), nullptr}; }

    std::vector<Rest> rest() const {
        std::vector<Rest> result;
        for (const Hub& hub : demands_.hubs) {
            const Term& term = p_.terms[hub.term];
            bool connected = term.connects || term.kind == Term::Kind::together;
            if (left_[hub.term] > 0) result.push_back({left_[hub.term], hub.term, connected, hub.members});
        }
        return result;
    }

    const Problem& p_;
    const Relations& r_;
    const Node& node_;
    const Deadline& deadline_;
    double limit_;
    Demands demands_;
    double base_;
    CoreFinder finder_;
    Consequences consequences_;
    std::vector<double> weights_;  ///< by term: 0 if it asks for nothing
    std::vector<double> left_;     ///< by term: weight not paid for yet
    double lower_ = 0;
    CoreFinder::Use use_;
    std::vector<double> paid_;  ///< by term: how often it is paid for
    std::vector<Core> cores_;
};

}  // namespace

Bound packing(const Problem& problem, const Relations& relations, const Node& node, const Deadline& deadline) {
    return CoreBound(problem, relations, node, deadline, infinite).pack();
}

Bound bound(const Problem& problem, const Relations& relations, const Node& node, const Deadline& deadline, double limit) {
    return CoreBound(problem, relations, node, deadline, limit).run();
}

}  // namespace sinter::fuse::solve
