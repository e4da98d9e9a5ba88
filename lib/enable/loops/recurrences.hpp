// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that fill arrays.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A counted loop whose steps each write one more element of every line of an array, made of the line's own elements and of
/// states, one for each line, becomes a recurrence (a map, if there are no states): one pass that every line goes through on
/// its own, in place of a pass over all lines for every step. So do loops over elements under vmap. The same results to the
/// last bit, and the same errors. After optimisation, which moves out of a loop what need not be in it. Linear in the
/// program's size times its nesting.
ir::Program recurrences(ir::Program program);

}  // namespace sinter::enable
