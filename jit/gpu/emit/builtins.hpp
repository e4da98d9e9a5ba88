// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits calls of what generated code needs from the hardware.
#pragma once

#include "jit/gpu/emit/builtin_names.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

/// Calls of the functions of builtin_names.hpp.
class Builtins {
  public:
    Builtins(llvm::IRBuilder<>& builder, llvm::Module& module) : ir(builder), module_(module) {}

    llvm::Value* thread() { return call(builtin::thread, ir.getInt32Ty(), {}, true); }
    llvm::Value* block() { return call(builtin::block, ir.getInt32Ty(), {}, true); }
    llvm::Value* blocks() { return call(builtin::blocks, ir.getInt32Ty(), {}, true); }
    void barrier() { call(builtin::barrier, ir.getVoidTy(), {}); }
    void fence() { call(builtin::fence, ir.getVoidTy(), {}); }
    void warp_barrier() { call(builtin::warp_barrier, ir.getVoidTy(), {}); }
    llvm::Value* peers(llvm::Value* value) { return call(builtin::peers, ir.getInt32Ty(), {value}); }
    llvm::Value* ballot(llvm::Value* value) { return call(builtin::ballot, ir.getInt32Ty(), {value}); }
    llvm::Value* load_relaxed(llvm::Value* word) { return call(builtin::load_relaxed, ir.getInt64Ty(), {word}); }
    llvm::Value* load_acquire(llvm::Value* word) { return call(builtin::load_acquire, ir.getInt64Ty(), {word}); }
    void store_relaxed(llvm::Value* word, llvm::Value* v) { call(builtin::store_relaxed, ir.getVoidTy(), {word, v}); }
    void store_release(llvm::Value* word, llvm::Value* v) { call(builtin::store_release, ir.getVoidTy(), {word, v}); }
    /// Of four floats, four and two words: each a pair of halves, or a number of TF32.
    llvm::Value* multiply_add(llvm::Value* sums, llvm::ArrayRef<llvm::Value*> words, bool tf32) {
        llvm::SmallVector<llvm::Value*, 8> arguments{sums};
        arguments.append(words.begin(), words.end());
        return call(tf32 ? builtin::multiply_add_tf32 : builtin::multiply_add, sums->getType(), arguments);
    }
    llvm::Value* to_tf32(llvm::Value* v) { return call(builtin::to_tf32, ir.getInt32Ty(), {v}, true); }
    void pause() { call(builtin::pause, ir.getVoidTy(), {}); }
    /// A scalar of any type from another lane of the warp.
    llvm::Value* from_lane(llvm::Value* value, llvm::Value* lane);
    /// At least this much memory of the block, aligned to 16 bytes. Every use gets the same memory.
    llvm::Value* shared(std::size_t bytes);
    std::size_t shared_bytes() const { return shared_bytes_; }

  private:
    llvm::Value* call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments, bool constant = false);

    llvm::IRBuilder<>& ir;
    llvm::Module& module_;
    std::size_t shared_bytes_ = 0;
};

}  // namespace sinter::gpu
