// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How cheap a clustering could be.
#pragma once

#include "fuse/solve/deadline.hpp"
#include "fuse/solve/node.hpp"

namespace sinter::fuse::solve {

struct Bound {
    double lower;              ///< no feasible clustering costs less
    Labels labels;             ///< feasible but perhaps not allowed: what is left when all conflicts are paid for
    std::optional<Pair> pair;  ///< the heart of the most expensive conflict; not apart
    /// Connected sets of vertices, and what clusterings that do not keep them together cost beyond `lower` at least.
    std::vector<std::pair<double, std::vector<Vertex>>> rest;
};

/// Of a settled problem.
Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline);

}  // namespace sinter::fuse::solve
