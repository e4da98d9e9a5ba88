// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The exact search.
#pragma once

#include "fuse/solve/problem/deadline.hpp"
#include "fuse/solve/problem/problem.hpp"

#include <limits>

namespace sinter::fuse::solve {

struct Solution {
    Labels labels;
    double cost;
    double lower;  ///< no feasible clustering that is allowed costs less; equal to `cost`: the search was finished
    /// The best whatever the weights: what a term connects is merged unless it is separated. False if that is not known.
    bool coarsest;
    std::size_t nodes = 0;  ///< of the search tree
};

/// The cheapest clustering that is feasible and allowed, or at the deadline the best found so far; never worse than
/// `incumbent`, which is feasible and allowed. What clusters cost includes `surcharge`.
/// Exponential in the worst case; each step of it quadratic. What costs `limit`
/// or more is not looked for: where nothing costs less, `lower` is at least the limit.
Solution solve(const Problem& problem, const Allowed& allowed, const Labels& incumbent, const Deadline& deadline,
               double limit = std::numeric_limits<double>::infinity(), const Surcharge& surcharge = {});

}  // namespace sinter::fuse::solve
