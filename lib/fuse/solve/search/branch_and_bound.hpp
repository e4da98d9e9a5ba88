// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/deadline.hpp"
#include "fuse/solve/problem/node.hpp"

#include <limits>

namespace sinter::fuse::solve {

/// The best clustering of a node that costs less than a limit, if one was found.
struct Outcome {
    double lower = std::numeric_limits<double>::infinity();
    double cost = std::numeric_limits<double>::infinity();
    std::vector<std::vector<Vertex>> clusters;  ///< of the problem asked for
    std::size_t nodes = 0;                      ///< number of bounds computed on the way, each counted once
};

/// Searches an independent part of a problem whose patterns were separated.
Outcome branch_and_bound(Node node, double limit, const Allowed& allowed, const Surcharge& surcharge,
                         const Deadline& deadline);

/// True if no two clusters hold vertices that a term connects and that may share a cluster. Then no clustering is cheaper,
/// because merging never costs anything, except for reads in several orders.
bool is_coarsest(const Problem& problem, const Relations& relations, const Labels& labels);

}  // namespace sinter::fuse::solve
