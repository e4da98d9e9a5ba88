// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The remainder of a division of floats, exactly: the card has no instruction for it, and LLVM makes an approximation.
#pragma once

#include "jit/emit/code/code.hpp"

namespace sinter::gpu {

/// x - n * y, n being x / y truncated. Those of f16 are done in f32.
llvm::Value* emit_remainder(emit::Code& code, llvm::Value* x, llvm::Value* y);

}  // namespace sinter::gpu
