// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Replaces mathematical operations by their definitions.
#pragma once

#include "ir/function.hpp"

namespace sinter::ir {

/// The same function without math operations. Equal instructions are shared: for sin x and cos x, x is reduced once.
/// Idempotent. Linear in the size of the result.
Fn expand_math(const Fn& fn);

/// The same for a block that refers to nothing outside itself (a kernel's body).
Block expand_math(const Block& block);

/// True if a math operation occurs in `block` or in blocks inside it.
bool has_math(const Block& block);

}  // namespace sinter::ir
