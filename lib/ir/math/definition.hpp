// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The definitions of the mathematical operations as functions of the IR.
#pragma once

#include "ir/function.hpp"

namespace sinter::ir {

/// The function without math operations that defines `op` (trait math) for operands of floating-point type `type`; for f16
/// it is that of f32, followed by a rounding. Made on first use, and kept for the life of the process. May be called from
/// any thread.
const Fn& definition(Op op, Scalar type);

}  // namespace sinter::ir
