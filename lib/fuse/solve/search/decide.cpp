// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A decision that raises the bound to the limit is wrong. If neither decision on a pair does, the pair is chosen for which
// the smaller of the two increases is largest.
#include "fuse/solve/search/decide.hpp"

#include "fuse/solve/bound/marginal.hpp"
#include "fuse/solve/problem/graph.hpp"
#include "fuse/solve/search/open_pairs.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace sinter::fuse::solve {

namespace {

class Decider {
  public:
    Decider(const Problem& problem, const Relations& relations, const Bound& bound, double limit)
        : p_(problem),
          r_(relations),
          b_(bound),
          limit_(limit),
          marginals_(problem, relations, bound.rest),
          result_{false, {}, problem.arcs, problem.count, {}} {}

    Decisions run() {
        for (const Rest& rest : b_.rest)
            if (rest.connected && b_.lower + rest.weight >= limit_) merge(rest.members);
        decide_pairs();
        for (const Condition& c : p_.conditions)
            if (c.pair.first == c.pair.second) decide_others(c.pair.first, c.others);
        result_.any = result_.count > p_.count || !result_.separations.empty();
        return std::move(result_);
    }

  private:
    void merge(std::span<const Vertex> members) { join(result_.arcs, members, static_cast<Vertex>(result_.count++)); }

    void decide_pairs() {
        Bits seen(p_.count);
        std::tuple best(-1.0, -1.0, -1.0);
        for_each_open(p_, r_, [&](const Term& term, Pair pair) {
            if (holds(seen[pair.first], pair.second)) return;
            put(seen[pair.first], pair.second);
            const double apart = marginals_.apart(pair), together = marginals_.together(pair);
            if (b_.lower + together >= limit_)
                result_.separations.push_back(pair);
            else if (b_.lower + apart >= limit_)
                merge(std::array{pair.first, pair.second});
            std::tuple rank(std::min(apart, together), std::max(apart, together), term.weight);
            if (rank > best) best = rank, result_.open = pair;
        });
        result_.score = std::get<0>(best);
    }

    /// Decides on a vertex that needs one of `others`.
    void decide_others(Vertex v, std::span<const Vertex> others) {
        for (Vertex other : others)
            if (!holds(r_.apart[v], other) && b_.lower + marginals_.together({v, other}) >= limit_)
                result_.separations.emplace_back(v, other);
    }

    const Problem& p_;
    const Relations& r_;
    const Bound& b_;
    double limit_;
    Marginals marginals_;
    Decisions result_;
};

}  // namespace

Decisions decide(const Problem& problem, const Relations& relations, const Bound& bound, double limit) {
    return Decider(problem, relations, bound, limit).run();
}

}  // namespace sinter::fuse::solve
