// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lower bound on the cost of a clustering.
#pragma once

#include "fuse/solve/problem/deadline.hpp"
#include "fuse/solve/problem/node.hpp"

namespace sinter::fuse::solve {

/// Vertices, and the least that clusterings which do not keep them together cost beyond a bound. Paid once per term.
struct Rest {
    double weight;
    std::uint32_t term;
    bool connected;  ///< the term connects its members
    std::vector<Vertex> members;
};

struct Bound {
    double lower = 0;        ///< no feasible clustering costs less
    Labels labels;           ///< feasible but perhaps not allowed: the clustering that is left when all conflicts are paid
                             ///< for
    std::vector<Rest> rest;  ///< those of one term are adjacent
};

/// The problem has to be settled (node.hpp).
Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline);

}  // namespace sinter::fuse::solve
