// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequential loops whose lanes are lines: a recurrence along the innermost axis of an array, one line a lane. What one step
/// loads lies a line's length apart from lane to lane, so that vectors would be gathered element by element, and scattered.
/// But what a lane loads in the next steps lies side by side. So the loop goes in *strips* of steps: the elements of a whole
/// strip are loaded as they lie, a few of a line at a time, and transposed in registers; then its steps are executed one
/// after another, as they depend on each other; then what they store is transposed back and stored as it lies. A strip is a
/// cache line of f64: each line is fetched, and completed, once, even where the lengths of lines are powers of two and all
/// lanes compete for the same places of a cache.
#pragma once

#include "schedule/pattern.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace sinter::schedule {

struct Strips {
    static constexpr int steps = 8;
    bool descending = false;     ///< steps go through memory from the end
    std::vector<bool> of_strip;  ///< by instruction of the body: loads and stores that are made for a whole strip
    std::vector<bool> offsets;   ///< by the same: index arithmetic that they need
};

/// By for_loop of the kernel's body, where its innermost parallel axis has lanes: those of which an access gains.
using StripsOfLoops = std::unordered_map<const lower::Inst*, Strips>;
StripsOfLoops strips_of_loops(const lower::Kernel& kernel);

}  // namespace sinter::schedule
