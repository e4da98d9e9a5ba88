// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns control flow around maps into maps with control flow inside.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Turns each loop or branch on scalars whose body consists of maps over scalars, and reads, into one map. Before lifting,
/// this keeps them whole: every slice has its own control flow.
ir::Program scalar_control(ir::Program program);

/// The same; in addition, turns a counted loop over arrays whose body is element-wise in its states (maps, and gathers from
/// what does not change) into one map whose function loops. The states stay in registers, and there is one kernel instead of
/// one per iteration. The results are the same to the last bit, and so are errors. To be run after optimisation, which moves
/// out of a loop whatever need not be in it. Linear in the program's size times its nesting.
ir::Program interchange(ir::Program program);

}  // namespace sinter::enable
