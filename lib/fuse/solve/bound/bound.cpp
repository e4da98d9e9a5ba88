// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Take all terms as satisfied: then the members of each are merged, and so is everything on a cycle through them. If a pair
// on such a cycle is apart, that is a conflict, and the terms of the cycle are a *core*: one of them has to be paid for.
// Where terms alone connect several vertices that are pairwise apart, they fall into as many pieces, and all but one of
// these have to be paid for, which is more than counting pair by pair would give.
//
// The smallest weight in a core is added to the bound and subtracted from all its terms; this is repeated until there is no
// conflict (as in core-guided MaxSAT: Fu and Malik, On Solving the Partial MAX-SAT Problem, 2006). Heavy terms come first,
// so that light ones do not use up their weight.
//
// In addition, the members of a spread term, and all vertices together, need at least as many clusters as there are in a set
// of them that is pairwise apart.
#include "fuse/solve/bound/bound.hpp"

#include "fuse/solve/bound/clique.hpp"
#include "fuse/solve/bound/cores.hpp"
#include "fuse/solve/bound/demands.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

/// The decreasing weights from which on terms take part: about one for each order of magnitude that occurs; the last is 0.
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

/// The demands of terms that have not been paid for completely; `left` is the unpaid part of each weight.
std::vector<Rest> rest(const Problem& problem, const Demands& demands, const std::vector<double>& left) {
    std::vector<Rest> result;
    for (const Hub& hub : demands.hubs) {
        const Term& term = problem.terms[hub.term];
        bool connected = term.connects || term.kind == Term::Kind::together;
        if (left[hub.term] > 0) result.push_back({left[hub.term], hub.term, connected, hub.members});
    }
    return result;
}

class Packer {
  public:
    Packer(const Problem& problem, const Relations& relations, const Deadline& deadline)
        : p_(problem),
          r_(relations),
          deadline_(deadline),
          demands_(demands(problem, relations)),
          finder_(problem, relations, demands_.hubs),
          left_(demands_.weights),
          lower_(problem.constant + problem.launch * static_cast<double>(least_clusters(relations)) + demands_.lower),
          use_(left_.size(), 0) {}

    Bound run() {
        for (double least : strata(left_)) {
            least_ = least;
            use_left();
            for (std::size_t reach : {std::size_t{1}, std::size_t{3}, p_.count})
                for (Vertex v : r_.order)
                    while (!deadline_.passed() && pay(finder_.tree(v, reach, use_))) {
                    }
            finder_.begin_circles(use_);
            for (Vertex v : r_.order)
                while (!deadline_.passed() && pay(finder_.circle(v, use_))) {
                }
        }
        return {lower_, finder_.labels(use_), rest(p_, demands_, left_)};
    }

  private:
    void use(std::uint32_t t) { use_[t] = left_[t] > 0 && left_[t] >= least_; }

    void use_left() {
        for (std::uint32_t t = 0; t < left_.size(); ++t) use(t);
    }

    bool pay(const std::optional<Core>& core) {
        if (!core) return false;
        double weight = left_[core->terms[0]];
        for (std::uint32_t t : core->terms) weight = std::min(weight, left_[t]);
        for (std::uint32_t t : core->terms) left_[t] -= weight, use(t);
        lower_ += weight * static_cast<double>(core->demand);
        return true;
    }

    const Problem& p_;
    const Relations& r_;
    const Deadline& deadline_;
    const Demands demands_;
    CoreFinder finder_;
    std::vector<double> left_;  ///< by term: the part of the weight that is not paid for yet
    double lower_, least_ = 0;
    CoreFinder::Use use_;
};

}  // namespace

Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline) {
    return Packer(problem, relations, deadline).run();
}

}  // namespace sinter::fuse::solve
