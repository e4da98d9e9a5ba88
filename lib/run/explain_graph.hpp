// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A plan as a graph for Graphviz: clusters as coloured boxes, arrays in memory as ellipses.
#pragma once

#include "run/explain_walk.hpp"

#include <string>
#include <vector>

namespace sinter::runtime {

std::string dot_of(const std::vector<ExplainedBody>& bodies);

}  // namespace sinter::runtime
