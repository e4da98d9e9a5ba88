// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Strips of the steps of a sequential loop (schedule/ways/strips.hpp): steps are columns where their elements are loaded
/// and stored, and are executed one after another in between. What steps need that does not depend on other steps
/// (schedule/ways/along_lines.hpp) is computed before, for many steps of a line at a time, into memory of the function.
#pragma once

#include "jit/emit/lanes/lane_loops.hpp"
#include "jit/emit/lanes/rows.hpp"
#include "jit/emit/memory/memory.hpp"

namespace sinter::emit {

/// The results of a for_loop.
Values loop_in_strips(Blocks& blocks, Memory& memory, Rows& rows, LaneLoops& lanes, const Inst& inst,
                      const std::vector<bool>& vary, const schedule::Strips& strips);

}  // namespace sinter::emit
