// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops of maps become maps of loops.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A counted loop over arrays whose body is element-wise in its states (maps, and gathers from what does not change) becomes
/// one map whose function loops: the states stay in registers and there is one kernel instead of one an iteration. The same
/// results to the last bit, and the same errors. Linear in the program's size times its nesting.
ir::Program interchange(ir::Program program);

}  // namespace sinter::enable
