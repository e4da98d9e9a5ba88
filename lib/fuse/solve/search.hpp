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
    double lower;  ///< no clustering that is feasible and allowed costs less; if it equals `cost`, the search was finished
    /// True if it is known to be the best whatever the weights are: what a term connects is merged unless it is separated.
    bool coarsest;
    std::size_t nodes = 0;  ///< of the search tree
};

/// The cheapest clustering that is feasible and allowed, or at the deadline the best one found so far. It is never worse
/// than `incumbent`, which has to be feasible and allowed. The cost of a cluster includes `surcharge`. Clusterings that cost
/// `limit` or more are not looked for: if nothing costs less, `lower` is at least the limit. Exponential in the worst case;
/// each step is quadratic.
Solution solve(const Problem& problem, const Allowed& allowed, const Labels& incumbent, const Deadline& deadline,
               double limit = std::numeric_limits<double>::infinity(), const Surcharge& surcharge = {});

}  // namespace sinter::fuse::solve
