// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The least that terms cost, and what they demand in order not to cost more.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// Members of a term that have to share a cluster if its weight is not to be paid; no two of them are apart.
struct Hub {
    std::uint32_t term;
    bool counts;  ///< paid for every cluster beyond the first in which they are; otherwise once for all hubs of the term
    std::vector<Vertex> members;
};

struct Demands {
    double lower = 0;
    std::vector<Hub> hubs;
    std::vector<double> weights;  ///< by term: the cost of paying for it once more; 0 if nothing demands that
};

Demands demands(const Problem& problem, const Relations& relations);

}  // namespace sinter::fuse::solve
