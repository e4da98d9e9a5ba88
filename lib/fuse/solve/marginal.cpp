// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of vertices that the bound takes to be together are paid for if they are not: those that hold both of a pair that is
// apart, and those that hold one of what is merged and something that is apart from it.
#include "fuse/solve/marginal.hpp"

#include <algorithm>
#include <limits>

namespace sinter::fuse::solve {

Marginals::Marginals(const Relations& relations, const std::vector<Rest>& rest)
    : r_(relations),
      rest_(rest),
      words_(relations.apart.words()),
      members_(rest.size() * words_, 0),
      set_(words_),
      apart_(words_) {
    for (std::size_t k = 0; k < rest.size(); ++k)
        for (Vertex v : rest[k].members) put(std::span(members_).subspan(k * words_, words_), v);
}

/// A term is paid for once.
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
    std::fill(apart_.begin(), apart_.end(), 0);
    put(set_, pair.first), put(set_, pair.second);
    close_convexly(r_, set_);
    for_each(ConstRow(set_), [&](std::size_t v) { unite(apart_, r_.apart[v]); });
    if (meet(set_, apart_)) return std::numeric_limits<double>::infinity();
    return sum([&](ConstRow all) { return meet(all, set_) && meet(all, apart_); });
}

}  // namespace sinter::fuse::solve
