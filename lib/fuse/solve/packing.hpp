// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A quick bound: cores that share no weight.
#pragma once

#include "fuse/solve/bound.hpp"
#include "fuse/solve/cores.hpp"

namespace sinter::fuse::solve {

/// What all bounds of a settled problem begin with.
struct Ground {
    Ground(const Problem& problem, const Relations& relations);

    Demands demands;
    double lower;  ///< what any clustering costs
    CoreFinder finder;
};

/// Weights from which on terms take part, decreasing: about one for each order of magnitude that there is; the last is 0.
std::vector<double> strata(std::vector<double> weights);

/// What terms ask for of which `left` of the weight is not paid yet.
std::vector<Rest> rest(const Problem& problem, const Demands& demands, const std::vector<double>& left);

struct Packing {
    Bound bound;
    std::vector<Core> cores;
};
Packing pack(const Problem& problem, const Relations& relations, Ground& ground, const Deadline& deadline);

}  // namespace sinter::fuse::solve
