// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/bound/bound.hpp"

namespace sinter::fuse::solve {

/// What all clusterings that cost less than a limit have in common, or what to try next.
struct Decisions {
    bool any = false;
    std::vector<Pair> separations;
    std::vector<Pair> arcs;  ///< the problem's arcs, and cycles through what is merged
    std::size_t count;       ///< one more than the largest vertex of the arcs
    std::optional<Pair> open;
    double score = 0;  ///< above 0 if deciding on `open` raises the bound
};

Decisions decide(const Problem& problem, const Relations& relations, const Bound& bound, double limit);

}  // namespace sinter::fuse::solve
