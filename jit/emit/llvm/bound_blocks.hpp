// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bounds the length of blocks and of lifetimes in functions so large that code generators would take more than linear time.
#pragma once

#include <llvm/IR/Function.h>

#include <cstddef>

namespace sinter::emit {

bool is_large(const llvm::Function& function);

/// Cuts the blocks of `function` into short ones. A value that is needed much later is kept on the stack until then, or
/// computed again if it is an argument of the kernel. Linear in the function's size; returns the number of bytes of stack.
std::size_t bound_blocks(llvm::Function& function);

}  // namespace sinter::emit
