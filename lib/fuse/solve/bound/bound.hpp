// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How cheap a clustering could be.
#pragma once

#include "fuse/solve/problem/deadline.hpp"
#include "fuse/solve/problem/node.hpp"

namespace sinter::fuse::solve {

/// Vertices, and what clusterings that do not keep them together cost beyond a bound at least. Once for each term.
struct Rest {
    double weight;
    std::uint32_t term;
    bool connected;  ///< by the term
    std::vector<Vertex> members;
};

struct Bound {
    double lower = 0;        ///< no feasible clustering costs less
    Labels labels;           ///< feasible but perhaps not allowed: what is left when all conflicts are paid for
    std::vector<Rest> rest;  ///< those of one term side by side
};

/// Of a settled problem.
Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline);

}  // namespace sinter::fuse::solve
