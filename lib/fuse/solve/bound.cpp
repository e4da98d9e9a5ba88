// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take all terms as satisfied: then the members of each are merged, and so is everything on a circle through them. A pair
// that is apart on such a circle is a conflict, and the terms of the circle are a *core*: one of them has to be paid for.
// Where terms alone connect several vertices that are pairwise apart, all but one of the pieces they fall into have to be
// paid for, which is more than pair by pair.
//
// Cores are the rows of a linear program, which is solved again with cores that its solution does not pay for until there
// are none (implicit hitting sets: Davies and Bacchus, Solving MAXSAT by solving a sequence of simpler SAT instances, 2011).
// The first come from a packing; those that a case of the problem inherits spare it the beginning. Heavy terms come before
// light ones. A term is paid for whole times, and so are all heavy ones together: what the solution pays for them is rounded
// up (Chvátal, Edmonds polytopes and a hierarchy of combinatorial problems, 1973).
//
// Added to that: of members of a spread term, and of all vertices, a set pairwise apart needs as many clusters. A spread
// term with such a set asks for one more unless every other member is with the one of the set that it is not apart from.
#include "fuse/solve/bound.hpp"

#include "fuse/solve/consequences.hpp"
#include "fuse/solve/covering.hpp"
#include "fuse/solve/known_cores.hpp"
#include "fuse/solve/packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace sinter::fuse::solve {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// What is paid for by less is not paid for: solutions are inexact.
constexpr double tolerance = 1e-6;
/// By how much a core has to be unpaid to be worth a row.
constexpr double violation = 1e-3;
/// In how many of the cores that are found at a time a term may be.
constexpr int most_uses = 8;
/// Rounds that are not worth going on with: together they add less than a share of what is missing and of the least weight.
constexpr int patience = 8;
constexpr double share_of_missing = 0.05, share_of_weight = 0.25;

/// Whether a bound still grows.
class Progress {
  public:
    void begin(double lower, double weight) { rounds_ = 0, before_ = lower, weight_ = weight; }

    /// After a round.
    bool is_slow(double lower, double limit) {
        if (++rounds_ % patience != 0) return false;
        const double gain = lower - std::exchange(before_, lower);
        return gain < std::min(share_of_missing * (limit - lower), share_of_weight * weight_);
    }

  private:
    int rounds_ = 0;
    double before_ = 0, weight_ = 0;
};

class Distribution {
  public:
    Distribution(const Problem& problem, const Relations& relations, Ground& ground, const Deadline& deadline, double limit)
        : p_(problem),
          r_(relations),
          ground_(ground),
          deadline_(deadline),
          limit_(limit),
          finder_(ground.finder),
          consequences_(problem, relations, ground.demands.clusters, ground.finder),
          weights_(ground.demands.weights),
          program_(weights_),
          lower_(ground.lower),
          use_(weights_.size(), 0),
          paid_(weights_.size(), 0) {}

    /// Nothing: the program could not be solved.
    std::optional<Bound> run(std::vector<Core> known) {
        known_ = std::move(known);
        bool settled = true;
        double heavy = infinite;
        for (double least : strata(weights_)) {
            if (!settled && lower_ + most_paid(heavy) < limit_) break;
            heavy = least;
            add_known(least);
            settled = solve(least) && settled;
            if (!is_solved_) return std::nullopt;
            if (lower_ >= limit_ || deadline_.passed()) break;
        }
        const bool is_feasible = settled && lower_ < limit_ && !deadline_.passed();
        if (!settled) make_feasible();
        return result(is_feasible ? consequences_.labels() : finder_.labels(use_));
    }

  private:
    /// With terms that weigh `least`. False: given up before all cores are paid for.
    bool solve(double least) {
        progress_.begin(lower_, lightest(least));
        while (true) {
            is_solved_ = program_.solve(deadline_);
            if (!is_solved_) return false;
            take_prices();
            find_unpaid(lower_ < limit_ ? least : infinite);
            std::erase_if(cores_, [&](const Core& core) { return has_light(core, least) || is_paid(core); });
            if (cores_.empty() && lower_ < limit_) round_up(least);
            if (cores_.empty()) return true;
            if (progress_.is_slow(lower_, limit_)) return false;
            for (const Core& core : cores_) add(core);
            if (deadline_.passed()) return true;
        }
    }

    void add(const Core& core) { program_.add(core.terms, static_cast<double>(core.demand)); }

    /// Those whose terms all weigh `least`.
    void add_known(double least) {
        std::erase_if(known_, [&](const Core& core) {
            if (has_light(core, least)) return false;
            add(core);
            return true;
        });
    }

    /// What light terms cost at the most.
    double most_paid(double heavy) const {
        double total = 0;
        for (std::uint32_t t = 0; t < weights_.size(); ++t)
            if (weights_[t] < heavy) total += weights_[t] * static_cast<double>(p_.terms[t].members.size());
        return total;
    }

    bool has_light(const Core& core, double least) const {
        return std::any_of(core.terms.begin(), core.terms.end(), [&](std::uint32_t t) { return weights_[t] < least; });
    }

    double lightest(double least) const {
        double weight = infinite;
        for (double w : weights_)
            if (w > 0 && w >= least) weight = std::min(weight, w);
        return weight;
    }

    bool is_paid(const Core& core) const {
        double sum = 0;
        for (std::uint32_t t : core.terms) sum += program_.value(t);
        return sum > static_cast<double>(core.demand) - violation;
    }

    void take_prices() {
        auto prices = program_.prices();
        lower_ = ground_.lower + prices.lower;
        left_ = std::move(prices.left);
        for (std::uint32_t t = 0; t < paid_.size(); ++t) paid_[t] = program_.value(t);
    }

    /// Those that weigh `least`, which alone are in the program yet, are paid for no less often than the solution says,
    /// rounded up.
    void round_up(double least) {
        double paid = 0, times = 0, heaviest = 0;
        std::vector<std::uint32_t> heavy;
        for (std::uint32_t t = 0; t < weights_.size(); ++t) {
            if (weights_[t] <= 0 || weights_[t] < least) continue;
            heavy.push_back(t);
            heaviest = std::max(heaviest, weights_[t]);
            paid += weights_[t] * program_.value(t), times += program_.value(t);
        }
        const double whole = heavy.empty() ? 0 : std::ceil(paid / heaviest - violation);
        if (times > whole - violation) return;
        rounded_.insert(heavy);
        cores_.push_back({std::move(heavy), static_cast<std::size_t>(whole)});
    }

    /// Of terms that weigh `least` cores that are not paid for: easy ones first.
    void find_unpaid(double least) {
        cores_.clear();
        if (least == infinite) return;
        for (std::uint32_t t = 0; t < paid_.size(); ++t)
            if (weights_[t] < least) paid_[t] = infinite;
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

    /// Terms in use hold nothing together that is apart: of each core the lightest is given up.
    void make_feasible() {
        auto lighter = [&](std::uint32_t a, std::uint32_t b) { return weights_[a] < weights_[b]; };
        use_paid(tolerance);
        for (bool any = true; any && !deadline_.passed();) {
            any = false;
            finder_.begin_circles(use_);
            for (Vertex v : r_.order)
                while (auto core = finder_.circle(v, use_)) {
                    use_[*std::min_element(core->terms.begin(), core->terms.end(), lighter)] = 0;
                    any = true;
                }
        }
    }

    /// What was rounded up is not known of a part of the problem, which has some of the terms only.
    Bound result(Labels labels) {
        std::vector<Core> tight;
        for (Covering::Row& row : program_.tight())
            if (!rounded_.contains(row.columns))
                tight.push_back({std::move(row.columns), static_cast<std::size_t>(row.demand)});
        auto cores = std::make_shared<KnownCores>(KnownCores{std::move(tight), ground_.demands.clusters});
        for (std::uint32_t t = 0; t < paid_.size(); ++t) paid_[t] = program_.value(t);
        return {lower_, std::move(labels), rest(p_, ground_.demands, left_), std::move(cores), std::move(paid_)};
    }

    const Problem& p_;
    const Relations& r_;
    Ground& ground_;
    const Deadline& deadline_;
    double limit_;
    CoreFinder& finder_;
    Consequences consequences_;
    const std::vector<double>& weights_;  ///< by term
    Covering program_;
    bool is_solved_ = true;
    Progress progress_;
    double lower_;
    std::vector<double> left_;  ///< by term: weight not paid for yet
    CoreFinder::Use use_;
    std::vector<double> paid_;  ///< by term: how often it is paid for; infinite: it does not take part yet
    std::vector<Core> cores_;
    std::vector<Core> known_;                       ///< not in the program yet
    std::set<std::vector<std::uint32_t>> rounded_;  ///< terms whose times were rounded up
};

}  // namespace

Bound bound(const Problem& problem, const Relations& relations, const Node& node, const Deadline& deadline, double limit) {
    Ground ground(problem, relations);
    auto distribute = [&](std::vector<Core> known) {
        return Distribution(problem, relations, ground, deadline, limit).run(std::move(known));
    };
    if (node.cores) {
        auto known = inherited(node, problem, ground.demands.clusters);
        if (!known) return {infinite, {}, {}, nullptr};
        auto result = distribute(std::move(*known));
        return result ? std::move(*result) : pack(problem, relations, ground, deadline).bound;
    }
    Packing start = pack(problem, relations, ground, deadline);
    start.bound.cores = nullptr;
    if (start.bound.lower >= limit || deadline.passed()) return start.bound;
    auto result = distribute(std::move(start.cores));
    return result ? std::move(*result) : std::move(start.bound);
}

}  // namespace sinter::fuse::solve
