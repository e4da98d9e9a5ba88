// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which loops of scalar functions become loops over arrays in reverse mode.
#pragma once

#include "ir/derivative/varied_locals.hpp"

namespace sinter::ad {

/// True if the instruction, at the level of `varied`, is a loop whose Jacobian its function cannot compute in registers, or
/// a branch that contains one. A loop that nothing varied reaches stays in its function.
bool is_expanded(const ir::Inst& inst, ir::derivative::VariedLocals& varied);
/// The same for any instruction of a block whose parameters are defined; leaves `varied` as it was.
bool contains_expanded(const ir::Block& block, ir::derivative::VariedLocals& varied);

/// Defines the parameters of a block of a control instruction: the floating-point states of an expanded loop are varied.
void define_params(const ir::Inst& control, const ir::Block& block, ir::derivative::VariedLocals& varied);

}  // namespace sinter::ad
