// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The place of a thread in a launch, and loops by which threads, warps or blocks share work.
#pragma once

#include "jit/emit/code/code.hpp"
#include "jit/gpu/emit/builtins.hpp"

namespace sinter::gpu {

class Grid {
  public:
    Grid(emit::Code& code, Builtins& builtins) : code_(code), ir(code.ir), builtins_(builtins) {}

    llvm::Value* thread() { return wide(builtins_.thread()); }  ///< in its block
    llvm::Value* block() { return wide(builtins_.block()); }
    llvm::Value* blocks() { return wide(builtins_.blocks()); }
    llvm::Value* global_thread() { return ir.CreateAdd(ir.CreateMul(block(), code_.i64(block_threads)), thread()); }
    llvm::Value* total_threads() { return ir.CreateMul(blocks(), code_.i64(block_threads)); }
    llvm::Value* global_warp() { return ir.CreateLShr(global_thread(), 5); }
    llvm::Value* total_warps() { return ir.CreateLShr(total_threads(), 5); }

    /// Executes body(i) for i = first, first + step, .. below `end`.
    void stride(llvm::Value* first, llvm::Value* step, llvm::Value* end, llvm::function_ref<void(llvm::Value*)> body);

  private:
    llvm::Value* wide(llvm::Value* v) { return ir.CreateZExt(v, ir.getInt64Ty()); }

    emit::Code& code_;
    llvm::IRBuilder<>& ir;
    Builtins& builtins_;
};

}  // namespace sinter::gpu
