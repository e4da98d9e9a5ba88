// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The amount that a decision on a pair of vertices adds to a bound.
#pragma once

#include "fuse/solve/bound/bound.hpp"

namespace sinter::fuse::solve {

/// Given what a bound left over: no clustering with the decision costs less than the bound plus the result.
class Marginals {
  public:
    /// Keeps references.
    Marginals(const Problem& problem, const Relations& relations, const std::vector<Rest>& rest);

    double apart(Pair pair) const;
    double together(Pair pair);  ///< infinite if that is impossible

  private:
    template <class Breaks>
    double sum(Breaks breaks) const;
    ConstRow members(std::size_t rest) const { return std::span(members_).subspan(rest * words_, words_); }

    using Set = std::vector<std::uint64_t>;
    double together(Set& set);
    double with_one_of(const Condition& condition, const Set& set);
    void complete(Set& set) const;

    const Problem& p_;
    const Relations& r_;
    const std::vector<Rest>& rest_;
    std::size_t words_;
    std::vector<std::uint64_t> members_;  ///< by set in rest_: words_ words
    Set set_, with_, apart_;
};

}  // namespace sinter::fuse::solve
