// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequential loops whose lanes are lines: for example a recurrence along the innermost axis of an array, with one line per
/// lane. What one step loads lies a line's length apart from lane to lane, so vectors would have to be gathered and
/// scattered element by element. But what a lane loads in successive steps is contiguous. So the loop is executed in
/// *strips* of steps: the elements of a whole strip are loaded contiguously, a few of a line at a time, and transposed in
/// registers; then its steps are executed one after another, because they depend on each other; then what they store is
/// transposed back and stored contiguously. A strip is one cache line of f64. Each line is fetched and completed once, even
/// where the lengths of lines are powers of two and all lanes compete for the same sets of a cache.
#pragma once

#include "schedule/ways/along_lines.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace sinter::schedule {

struct Strips {
    static constexpr int steps = 8;
    bool descending = false;     ///< steps go through memory backwards
    std::vector<bool> of_strip;  ///< by instruction of the body: loads and stores that are executed for a whole strip
    std::vector<bool> offsets;   ///< by instruction of the body: index arithmetic that these need
    std::optional<AlongLines> along = {};
};

/// By for_loop of the kernel's body, if its innermost parallel axis has lanes: the loops of which an access gains.
using StripsOfLoops = std::unordered_map<const lower::Inst*, Strips>;
StripsOfLoops strips_of_loops(const lower::Kernel& kernel, const ControlFlow& control);

}  // namespace sinter::schedule
