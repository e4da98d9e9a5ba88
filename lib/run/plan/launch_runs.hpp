// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a body launches one kernel after another, some of which leave arrays only to each other: such launches may follow
/// each other tile by tile (run/execute/cascade/cascade.hpp).
#pragma once

#include "ir/program.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace sinter::runtime {

struct BodyPlan;
class KnownCascades;

/// Steps [first, last] of a body: launches, whose extents are known before the first of them.
struct LaunchRun {
    std::size_t first, last;
    std::vector<ir::ValueId> inner;  ///< arrays that are made and read in it, and by nothing else; at least one
    std::shared_ptr<KnownCascades> known;
};

/// The longest ones there are, in order.
std::vector<LaunchRun> launch_runs(const ir::SizeTable& sizes, const BodyPlan& plan);

}  // namespace sinter::runtime
