// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that fill arrays.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Turns a counted loop into a recurrence (or a map, if there are no states) if each of its steps writes one more element of
/// every line of an array, or of a part of it, computed from the line's own elements, those that the last few steps have
/// written among them, and from states, of which there is one per line. The
/// recurrence is one pass in which every line is processed on its own, instead of a pass over all lines per step. The same
/// is done for loops over elements under vmap. The results are the same to the last bit, and so are errors. To be run after
/// optimisation, which moves out of a loop whatever need not be in it. Linear in the program's size times its nesting.
ir::Program recurrences(ir::Program program);

}  // namespace sinter::enable
