// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The exact remainder of a division of floats: the card has no instruction for it, and LLVM emits an approximation.
#pragma once

#include "jit/emit/code/code.hpp"

namespace sinter::gpu {

/// x - n * y, where n is x / y truncated. For f16 it is computed in f32.
llvm::Value* emit_remainder(emit::Code& code, llvm::Value* x, llvm::Value* y);

}  // namespace sinter::gpu
