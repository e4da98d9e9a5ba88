// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Division of integers without traps.
#pragma once

#include "jit/emit/code/scalar_ops.hpp"

namespace sinter::emit {

/// The quotient or remainder as ops.def defines it; an arbitrary value for divisor 0.
llvm::Value* emit_division(llvm::IRBuilder<>& ir, const ScalarOp& op, llvm::Value* a, llvm::Value* b, bool remainder);

}  // namespace sinter::emit
