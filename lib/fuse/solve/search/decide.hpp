// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/bound/bound.hpp"

namespace sinter::fuse::solve {

/// What every clustering that costs less than a limit has in common; or what to try next.
struct Decisions {
    bool any = false;
    std::vector<Pair> separations;
    std::vector<Pair> arcs;  ///< the problem's, and circles through what is merged
    std::size_t count;       ///< of the arcs' ends
    std::optional<Pair> open;
    double score = 0;  ///< above 0 if decisions on it say something of the bound
};

Decisions decide(const Problem& problem, const Relations& relations, const Bound& bound, double limit);

}  // namespace sinter::fuse::solve
