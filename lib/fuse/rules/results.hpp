// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The results that clusters keep in memory.
#pragma once

#include "fuse/graph/dep_graph.hpp"
#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse {

/// Adds to `problem` what its operations make, and which shapes a cluster may keep together (legality.hpp, rule 4).
void add_results(const DepGraph& graph, solve::Problem& problem);

}  // namespace sinter::fuse
