// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What terms cost at least, and what they ask for so that they do not cost more.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// Members of a term that have to share a cluster, else its weight is to be paid; none are apart.
struct Hub {
    std::uint32_t term;
    bool counts;  ///< for every cluster beyond the first that they are in; else once for all hubs of the term
    std::vector<Vertex> members;
};

struct Demands {
    double lower = 0;
    std::vector<Hub> hubs;
    std::vector<double> weights;  ///< by term: what it costs to pay for it once more; 0: nothing asks for that
};

Demands demands(const Problem& problem, const Relations& relations);

}  // namespace sinter::fuse::solve
