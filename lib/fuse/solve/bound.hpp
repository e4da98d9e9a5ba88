// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How cheap a clustering could be.
#pragma once

#include "fuse/solve/deadline.hpp"
#include "fuse/solve/node.hpp"

namespace sinter::fuse::solve {

/// Vertices, and what clusterings that do not keep them together cost beyond a bound at least. Once for each term.
struct Rest {
    double weight;
    std::uint32_t term;
    bool connected;  ///< by the term
    std::vector<Vertex> members;
};

struct Bound {
    double lower;              ///< no feasible clustering costs less
    Labels labels;             ///< feasible but perhaps not allowed: what is left when all conflicts are paid for
    std::optional<Pair> pair;  ///< the heart of the most expensive conflict; not apart
    std::vector<Rest> rest;    ///< those of one term side by side
};

/// Of a settled problem. Attempts differ in the order in which conflicts are looked for.
Bound bound(const Problem& problem, const Relations& relations, const Deadline& deadline, std::uint32_t attempt = 0);

}  // namespace sinter::fuse::solve
