// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a decision on a pair of vertices adds to a bound.
#pragma once

#include "fuse/solve/bound.hpp"

namespace sinter::fuse::solve {

/// Of what a bound left over: no clustering with that decision costs less than the bound and this.
class Marginals {
  public:
    /// Keeps references.
    Marginals(const Relations& relations, const std::vector<Rest>& rest);

    double apart(Pair pair) const;
    double together(Pair pair);  ///< as much as one can cost: impossible

  private:
    template <class Breaks>
    double sum(Breaks breaks) const;
    ConstRow members(std::size_t rest) const { return std::span(members_).subspan(rest * words_, words_); }

    const Relations& r_;
    const std::vector<Rest>& rest_;
    std::size_t words_;
    std::vector<std::uint64_t> members_;  ///< words_ for each of rest_
    std::vector<std::uint64_t> set_, apart_;
};

}  // namespace sinter::fuse::solve
