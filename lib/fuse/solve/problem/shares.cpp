// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `together` term is paid for by the cluster of its first member; a spread term, by all other clusters that hold members.
#include "fuse/solve/problem/shares.hpp"

#include <algorithm>
#include <utility>

namespace sinter::fuse::solve {

Shares::Shares(const Problem& problem)
    : p_(problem),
      terms_(problem.count),
      orders_(problem.count),
      member_(problem.count, 0),
      seen_term_(problem.terms.size(), 0),
      seen_orders_(problem.read_orders.size(), 0) {
    for (std::uint32_t t = 0; t < problem.terms.size(); ++t)
        for (Vertex v : problem.terms[t].members) terms_[v].push_back(t);
    for (std::uint32_t k = 0; k < problem.read_orders.size(); ++k)
        for (const Read& read : problem.read_orders[k].reads) orders_[read.reader].push_back(k);
}

double Shares::of(std::span<const Vertex> cluster) {
    ++question_;
    for (Vertex v : cluster) member_[v] = question_;
    auto is_new = [&](std::uint32_t& seen) { return std::exchange(seen, question_) != question_; };
    double total = 0;
    for (Vertex v : cluster) {
        for (std::uint32_t t : terms_[v])
            if (is_new(seen_term_[t])) total += of(p_.terms[t]);
        for (std::uint32_t k : orders_[v])
            if (is_new(seen_orders_[k])) total += of(p_.read_orders[k]);
    }
    return total;
}

double Shares::of(const Term& term) const {
    const bool is_first = is_member(term.members[0]);
    if (term.kind == Term::Kind::spread) return is_first ? 0 : term.weight;
    auto inside = [&](Vertex v) { return is_member(v); };
    return is_first && !std::all_of(term.members.begin(), term.members.end(), inside) ? term.weight : 0;
}

double Shares::of(const ReadOrders& orders) {
    found_.clear();
    for (const Read& read : orders.reads) {
        if (!is_member(read.reader)) continue;
        std::uint32_t order = read.own;
        for (const Following& f : read.following)
            if (is_member(f.leader)) order = f.order;
        found_.push_back(order);
    }
    std::sort(found_.begin(), found_.end());
    const auto distinct = std::unique(found_.begin(), found_.end()) - found_.begin();
    return orders.weight * static_cast<double>(distinct - 1);
}

}  // namespace sinter::fuse::solve
