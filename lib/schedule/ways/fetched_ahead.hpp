// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequential loops whose lanes are columns: a step loads neighbours, and the next step loads what lies a row further. No
/// prefetcher of a processor follows such steps from one page of memory to another. So lines are fetched some steps ahead;
/// and where the loop carries little, lanes have twice as many vectors side by side, so that a step needs several lines of a
/// row.
#pragma once

#include "schedule/facts/pattern.hpp"

#include <unordered_map>
#include <vector>

namespace sinter::schedule {

struct FetchedAhead {
    std::vector<bool> loads;    ///< by instruction of the body: loads whose lines are fetched ahead
    std::vector<bool> offsets;  ///< by instruction of the body: index arithmetic that these need
};

/// By for_loop of the kernel's body, if its innermost parallel axis has lanes: the loops of which a load gains.
using AheadOfLoops = std::unordered_map<const lower::Inst*, FetchedAhead>;
AheadOfLoops fetched_ahead(const lower::Kernel& kernel, const ControlFlow& control);

}  // namespace sinter::schedule
