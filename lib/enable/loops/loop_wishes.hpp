// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What would make loops recurrences (recurrences.hpp).
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// The wishes under which loops that fill arrays line by line are recurrences: the checks of an iteration hold in all
/// iterations, planes that are reshaped have equal extents, and a loop that is executed only if another has iterations is
/// executed. Enters sizes into the program's table. Quadratic in the loops that fill arrays.
std::vector<Wish> wishes_of_loops(ir::Program& program);

/// Drops the checks and the conditions that the wishes `holding` decide.
void assume_for_loops(ir::Program& program, std::span<const Wish> holding);

}  // namespace sinter::enable
