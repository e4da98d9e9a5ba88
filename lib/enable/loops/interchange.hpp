// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow of maps becomes maps of control flow.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Loops and branches of scalars whose bodies are maps of scalars, and reads, become one map each. Before lifting, this
/// keeps them whole: every slice has control flow of its own.
ir::Program scalar_control(ir::Program program);

/// The same, and a counted loop over arrays whose body is element-wise in its states (maps, and gathers from what does not
/// change) becomes one map whose function loops. The states stay in registers and there is one kernel instead of one an
/// iteration. The same results to the last bit, and the same errors. After optimisation, which moves out of a loop what need
/// not be in it. Linear in the program's size times its nesting.
ir::Program interchange(ir::Program program);

}  // namespace sinter::enable
