// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest weight in a core is added to the bound and taken off all its terms; again, until there is no conflict (as in
// core-guided MaxSAT). Heavy terms come first, so that light ones do not spend their weight.
#include "fuse/solve/packing.hpp"

#include "fuse/solve/clique.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

Ground::Ground(const Problem& problem, const Relations& relations)
    : demands(solve::demands(problem, relations)),
      lower(problem.constant + problem.launch * static_cast<double>(least_clusters(relations)) + demands.lower),
      finder(problem, relations, demands.hubs) {}

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

std::vector<Rest> rest(const Problem& problem, const Demands& demands, const std::vector<double>& left) {
    std::vector<Rest> result;
    for (const Hub& hub : demands.hubs) {
        const Term& term = problem.terms[hub.term];
        bool connected = term.connects || term.kind == Term::Kind::together;
        if (left[hub.term] > 0) result.push_back({left[hub.term], hub.term, connected, hub.members});
    }
    return result;
}

namespace {

class Packer {
  public:
    Packer(const Problem& problem, const Relations& relations, Ground& ground, const Deadline& deadline)
        : p_(problem),
          r_(relations),
          ground_(ground),
          deadline_(deadline),
          left_(ground.demands.weights),
          lower_(ground.lower),
          use_(left_.size(), 0) {}

    Packing run() {
        CoreFinder& finder = ground_.finder;
        for (double least : strata(left_)) {
            least_ = least;
            use_left();
            for (std::size_t reach : {std::size_t{1}, std::size_t{3}, p_.count})
                for (Vertex v : r_.order)
                    while (!deadline_.passed() && pay(finder.tree(v, reach, use_))) {
                    }
            finder.begin_circles(use_);
            for (Vertex v : r_.order)
                while (!deadline_.passed() && pay(finder.circle(v, use_))) {
                }
        }
        Packing result{{lower_, finder.labels(use_), rest(p_, ground_.demands, left_), nullptr}, std::move(cores_)};
        result.bound.cores = std::make_shared<KnownCores>(KnownCores{result.cores, ground_.demands.clusters});
        return result;
    }

  private:
    void use(std::uint32_t t) { use_[t] = left_[t] > 0 && left_[t] >= least_; }

    void use_left() {
        for (std::uint32_t t = 0; t < left_.size(); ++t) use(t);
    }

    bool pay(std::optional<Core> core) {
        if (!core) return false;
        double weight = left_[core->terms[0]];
        for (std::uint32_t t : core->terms) weight = std::min(weight, left_[t]);
        for (std::uint32_t t : core->terms) left_[t] -= weight, use(t);
        lower_ += weight * static_cast<double>(core->demand);
        cores_.push_back(std::move(*core));
        return true;
    }

    const Problem& p_;
    const Relations& r_;
    Ground& ground_;
    const Deadline& deadline_;
    std::vector<double> left_;  ///< by term: weight not paid for yet
    double lower_, least_ = 0;
    CoreFinder::Use use_;
    std::vector<Core> cores_;
};

}  // namespace

Packing pack(const Problem& problem, const Relations& relations, Ground& ground, const Deadline& deadline) {
    return Packer(problem, relations, ground, deadline).run();
}

}  // namespace sinter::fuse::solve
