// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Register tiles (schedule/ways/register_tile.hpp).
#pragma once

#include "jit/emit/kernel.hpp"

#include <llvm/IR/Function.h>

namespace sinter::emit {

/// Emits the body of a function that executes a tile of points. The rows of the tile count along all axes but the innermost;
/// the axis of the register tile's rows is the last of these. The range of the chunked reduce, if there is one, may be given
/// to tiles in parts, one after another.
void emit_register_tile(llvm::Function& function, const lower::Kernel& kernel, const Machine& machine,
                        const Schedule& schedule);

}  // namespace sinter::emit
