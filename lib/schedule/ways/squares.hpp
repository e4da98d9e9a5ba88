// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Maps that read against the grain, as a transpose does: neighbours along the axis before the innermost one are contiguous
/// in memory. Several rows of points go together: a lane loads the elements of all of them at once, and squares are
/// transposed in registers, so that whole cache lines are read and whole ones are written.
#pragma once

#include "schedule/facts.hpp"
#include "schedule/lanes.hpp"

#include <optional>
#include <vector>

namespace sinter::schedule {

struct Squares {
    int width = 1;                          ///< number of lanes, along the innermost axis
    int rows = 1;                           ///< number of points along the axis before it
    std::vector<const lower::Inst*> loads;  ///< the loads against the grain
    bool stores_lines = true;               ///< a row of a square is at least one cache line of every output
    bool narrow = true;                     ///< all these loads are of 8 or 16 bits
    Lanes rest;                             ///< the lanes of points that do not fill a square
};

/// The squares of a kernel; nothing if it has no such loads, or does more than move elements.
std::optional<Squares> squares(const Machine& machine, const lower::Kernel& kernel, const Facts& facts);

}  // namespace sinter::schedule
