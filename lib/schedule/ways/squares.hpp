// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which maps read against the grain, as a transpose does: neighbours along the axis before the innermost one lie side by
/// side in memory. Several rows of points then go together: a lane loads the elements of all of them at once, and squares
/// are transposed in registers, so that whole cache lines are read as whole ones are written.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/lanes.hpp"

#include <optional>
#include <vector>

namespace sinter::schedule {

struct Squares {
    int width = 1;                          ///< lanes, along the innermost axis
    int rows = 1;                           ///< points of the axis before it
    std::vector<const lower::Inst*> loads;  ///< those against the grain
    bool stores_lines = true;               ///< a row of a square is at least a cache line of every output
    bool narrow = true;                     ///< all these loads are of 8 or 16 bits
    Lanes rest;                             ///< of points that make no square
};

/// Nothing for a kernel that has no such loads, or more to do than to move elements. `points`: of its points, in lanes.
std::optional<Squares> squares(const Machine& machine, const lower::Kernel& kernel, const Profile& points);

}  // namespace sinter::schedule
