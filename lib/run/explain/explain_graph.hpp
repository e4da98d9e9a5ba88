// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A plan as a graph for Graphviz: clusters as coloured boxes with the bytes they move, arrays in memory as ellipses, and
/// why what reads them is not fused with what makes them.
#pragma once

#include "run/explain/explain_walk.hpp"

#include <string>
#include <vector>

namespace sinter::runtime {

/// `bytes`: of the clusters of all bodies.
std::string dot_of(const std::vector<ExplainedBody>& bodies, std::span<const std::int64_t> bytes);

}  // namespace sinter::runtime
