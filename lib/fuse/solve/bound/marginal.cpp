// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of vertices that the bound assumes to be together have to be paid for if they are not. These are the sets that hold
// both vertices of a pair that is apart, and those that hold a merged vertex and something that is apart from it. What is
// merged includes what conditions demand; where they demand one of several vertices, the cheapest is taken.
#include "fuse/solve/bound/marginal.hpp"

#include <algorithm>
#include <limits>

namespace sinter::fuse::solve {

Marginals::Marginals(const Problem& problem, const Relations& relations, const std::vector<Rest>& rest)
    : p_(problem),
      r_(relations),
      rest_(rest),
      words_(relations.apart.words()),
      members_(rest.size() * words_, 0),
      set_(words_),
      with_(words_),
      apart_(words_) {
    for (std::size_t k = 0; k < rest.size(); ++k)
        for (Vertex v : rest[k].members) put(std::span(members_).subspan(k * words_, words_), v);
}

/// Adds up weights; each term is paid for once.
template <class Breaks>
double Marginals::sum(Breaks breaks) const {
    double total = 0;
    std::optional<std::uint32_t> last;
    for (std::size_t k = 0; k < rest_.size(); ++k) {
        if (rest_[k].term == last || !breaks(members(k))) continue;
        total += rest_[k].weight;
        last = rest_[k].term;
    }
    return total;
}

double Marginals::apart(Pair pair) const {
    return sum([&](ConstRow all) { return holds(all, pair.first) && holds(all, pair.second); });
}

double Marginals::together(Pair pair) {
    std::fill(set_.begin(), set_.end(), 0);
    put(set_, pair.first), put(set_, pair.second);
    complete(set_);
    double total = together(set_);
    for (const Condition& c : p_.conditions)
        if (!c.all && holds(set_, c.pair.first) && holds(set_, c.pair.second)) total = std::max(total, with_one_of(c, set_));
    return total;
}

double Marginals::with_one_of(const Condition& condition, const Set& set) {
    double least = std::numeric_limits<double>::infinity();
    for (Vertex v : condition.others) {
        if (holds(set, v)) return 0;
        with_ = set;
        put(with_, v);
        complete(with_);
        least = std::min(least, together(with_));
    }
    return least;
}

void Marginals::complete(Set& set) const {
    close_convexly(r_, set);
    bool grown = false;
    for (const Condition& c : p_.conditions) {
        if (!c.all || !holds(set, c.pair.first) || !holds(set, c.pair.second)) continue;
        for (Vertex v : c.others) put(set, v);
        grown = true;
    }
    if (grown) close_convexly(r_, set);
}

/// `set` has to be convex.
double Marginals::together(Set& set) {
    std::fill(apart_.begin(), apart_.end(), 0);
    for_each(ConstRow(set), [&](std::size_t v) { unite(apart_, r_.apart[v]); });
    if (meet(set, apart_)) return std::numeric_limits<double>::infinity();
    return sum([&](ConstRow all) { return meet(all, set) && meet(all, apart_); });
}

}  // namespace sinter::fuse::solve
