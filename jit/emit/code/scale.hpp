// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Multiplies by powers of two.
#pragma once

#include "schedule/machine.hpp"

#include <llvm/IR/IRBuilder.h>

namespace sinter::emit {

using schedule::Machine;

/// y * 2^n, rounded once; n holds integers whose magnitude is less than twice the format's bias. Works on scalars and
/// vectors of f32 or f64.
llvm::Value* emit_scale(llvm::IRBuilder<>& ir, const Machine& machine, llvm::Value* y, llvm::Value* n);

}  // namespace sinter::emit
