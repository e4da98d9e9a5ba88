// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What generated code asks of the hardware: a few functions that a module declares. The card has instructions for them
/// (nvptx.cpp), the emulator functions of its own (emulator.cpp). Nothing else of a module depends on who executes it.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

inline constexpr int warp_threads = 32;
inline constexpr int block_threads = 256;

/// Names of the functions, as they are declared.
namespace builtin {
inline constexpr const char* thread = "sinter.thread";        ///< i32(): in its block
inline constexpr const char* block = "sinter.block";          ///< i32()
inline constexpr const char* blocks = "sinter.blocks";        ///< i32(): of the launch
inline constexpr const char* barrier = "sinter.barrier";      ///< void(): all threads of the block arrive; orders memory
inline constexpr const char* from_lane = "sinter.from_lane";  ///< i32(value, lane): all threads of the warp take part
inline constexpr const char* shared = "sinter.shared";        ///< ptr(): memory of the block
inline constexpr const char* fence = "sinter.fence";          ///< void(): writes before it are seen before those behind it
}  // namespace builtin

/// Emits calls of them.
class Builtins {
  public:
    Builtins(llvm::IRBuilder<>& builder, llvm::Module& module) : ir(builder), module_(module) {}

    llvm::Value* thread() { return call(builtin::thread, ir.getInt32Ty(), {}, true); }
    llvm::Value* block() { return call(builtin::block, ir.getInt32Ty(), {}, true); }
    llvm::Value* blocks() { return call(builtin::blocks, ir.getInt32Ty(), {}, true); }
    void barrier() { call(builtin::barrier, ir.getVoidTy(), {}); }
    void fence() { call(builtin::fence, ir.getVoidTy(), {}); }
    /// A scalar of any type from another lane of the warp.
    llvm::Value* from_lane(llvm::Value* value, llvm::Value* lane);
    /// At least this much memory of the block, aligned to 16 bytes. The same for every use.
    llvm::Value* shared(std::size_t bytes);
    std::size_t shared_bytes() const { return shared_bytes_; }

  private:
    llvm::Value* call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments, bool constant = false);

    llvm::IRBuilder<>& ir;
    llvm::Module& module_;
    std::size_t shared_bytes_ = 0;
};

}  // namespace sinter::gpu
