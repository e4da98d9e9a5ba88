// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Strips of the steps of a sequential loop (schedule/ways/strips.hpp): steps are columns where their elements are loaded
/// and stored, and are executed one after another in between.
#pragma once

#include "jit/emit/lanes/rows.hpp"
#include "jit/emit/memory/memory.hpp"

namespace sinter::emit {

/// The results of a for_loop.
Values loop_in_strips(Blocks& blocks, Memory& memory, Rows& rows, const Inst& inst, const std::vector<bool>& vary,
                      const schedule::Strips& strips);

}  // namespace sinter::emit
