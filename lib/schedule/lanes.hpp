// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a loop runs in the lanes of vectors.
#pragma once

#include "schedule/facts/borders.hpp"
#include "schedule/machine.hpp"

#include <unordered_map>

namespace sinter::schedule {

struct Lanes {
    int width = 1;             ///< elements of a vector; 1 if the loop is scalar
    int columns = 1;           ///< number of vectors side by side
    bool covering = false;     ///< one masked loop covers all indices, without a main loop: a large body is emitted once
    bool in_turn = false;      ///< what a lane does may depend on earlier lanes: the loop is executed in order
    bool single_tail = false;  ///< indices that do not fill a vector are executed one by one, not as one vector under a mask
    int together = 1;          ///< for a scalar loop: indices per iteration, so that the loop's own instructions matter less
    Borders borders = Borders::masked;  ///< where indices reach borders

    bool vector() const { return width > 1; }
    bool operator==(const Lanes&) const = default;
};

/// The lanes of a loop whose body has this profile and that has this many accumulators.
Lanes choose_lanes(const Machine& machine, const Profile& profile, std::size_t accumulators);

/// The lanes of a loop over points or of a for_each, which is executed for its effects. `reads_shifted`: it has borders at
/// which it reads other elements than in between.
Lanes lanes_for_effects(const Machine& machine, const Profile& profile, Borders borders, bool reads_shifted = false);

/// The lanes of loops inside a kernel's body that no lane loop surrounds.
using LoopLanes = std::unordered_map<const lower::Inst*, Lanes>;
/// `chunked`: the loop of the body that is cut into chunks, or null.
LoopLanes lanes_of_loops(const Machine& machine, const lower::Kernel& kernel, const ControlFlow& control,
                         const lower::Inst* chunked);

}  // namespace sinter::schedule
