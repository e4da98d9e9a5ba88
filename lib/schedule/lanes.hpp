// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a loop runs in the lanes of vectors.
#pragma once

#include "schedule/machine.hpp"
#include "schedule/pattern.hpp"

#include <unordered_map>

namespace sinter::schedule {

struct Lanes {
    int width = 1;             ///< elements of a vector; 1: the loop is scalar
    int columns = 1;           ///< vectors side by side
    bool covering = false;     ///< one masked loop for all indices, without a main loop: a large body is emitted once
    bool in_turn = false;      ///< what a lane does may depend on what lanes before it did: the loop goes in order
    bool single_tail = false;  ///< indices that do not fill a vector go one by one, else as one vector under a mask
    int together = 1;          ///< of a scalar loop: indices per iteration, so that its own instructions matter less

    bool vector() const { return width > 1; }
    bool operator==(const Lanes&) const = default;
};

/// For a loop whose body has this profile and that carries this many accumulators.
Lanes choose_lanes(const Machine& machine, const Profile& profile, std::size_t accumulators);

/// For a loop over points or a for_each, executed for its effects.
Lanes lanes_for_effects(const Machine& machine, const Profile& profile);

/// The lanes of loops inside a kernel's body, where nothing around them has lanes.
using LoopLanes = std::unordered_map<const lower::Inst*, Lanes>;
/// `chunked`: the loop of the body that is cut into chunks, or null.
LoopLanes lanes_of_loops(const Machine& machine, const lower::Kernel& kernel, const lower::Inst* chunked);

}  // namespace sinter::schedule
