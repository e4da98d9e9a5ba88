// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/grid.hpp"

namespace sinter::gpu {

void Grid::stride(llvm::Value* first, llvm::Value* step, llvm::Value* end, llvm::function_ref<void(llvm::Value*)> body) {
    emit::Few none;
    code_.when(ir.CreateICmpSLT(first, end), none, [&] {
        emit::Few next{first};
        code_.loop_while(next, [&] {
            llvm::Value* i = next[0];
            body(i);
            next[0] = ir.CreateAdd(i, step);
            return ir.CreateICmpSLT(next[0], end);
        });
    });
}

}  // namespace sinter::gpu
