// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the kernels of a sort have in common.
#pragma once

#include "jit/gpu/emit/team/team.hpp"

#include <llvm/IR/Module.h>

namespace sinter::gpu {

/// The beginning of each of these kernels.
class SortCode {
  public:
    SortCode(llvm::Function& function, int team_threads)
        : code_(function, machine_),
          ir(code_.ir),
          builtins_(ir, *function.getParent()),
          team_(code_, builtins_, team_threads),
          function_(function) {}

    std::size_t shared_bytes() const { return builtins_.shared_bytes(); }
    void end() { ir.CreateBr(code_.leave()); }

  protected:
    llvm::Constant* i64(std::int64_t v) { return code_.i64(v); }
    llvm::Value* wide(llvm::Value* v) { return ir.CreateZExt(v, ir.getInt64Ty()); }
    llvm::Value* argument(unsigned n) { return function_.getArg(n); }
    llvm::Value* at(llvm::Type* type, llvm::Value* array, llvm::Value* index) {
        return ir.CreateInBoundsGEP(type, array, index);
    }
    llvm::Value* word(llvm::Value* array, llvm::Value* index) { return at(ir.getInt32Ty(), array, index); }
    llvm::Value* load_word(llvm::Value* array, llvm::Value* index) {
        return ir.CreateLoad(ir.getInt32Ty(), word(array, index));
    }
    /// Executes body(k) for k = first, first + step, .. below end.
    void stride(llvm::Value* first, llvm::Value* step, llvm::Value* end, llvm::function_ref<void(llvm::Value*)> body) {
        Few next{first};
        code_.loop_from_top(
            next, [&] { return ir.CreateICmpSLT(next[0], end); },
            [&] {
                llvm::Value* k = next[0];
                body(k);
                next[0] = ir.CreateAdd(k, step);
            });
    }
    void by_blocks(llvm::Value* end, llvm::function_ref<void(llvm::Value*)> body) {
        stride(wide(builtins_.block()), wide(builtins_.blocks()), end, body);
    }
    void by_threads(llvm::Value* end, llvm::function_ref<void(llvm::Value*)> body) {
        llvm::Value* first =
            ir.CreateAdd(ir.CreateMul(wide(builtins_.block()), i64(block_threads)), wide(builtins_.thread()));
        stride(first, ir.CreateMul(wide(builtins_.blocks()), i64(block_threads)), end, body);
    }

    emit::Machine machine_;
    emit::Code code_;
    llvm::IRBuilder<>& ir;
    Builtins builtins_;
    Team team_;
    llvm::Function& function_;
};

/// Declares a kernel with this many pointers, followed by numbers.
inline llvm::Function& declare_sort(llvm::Module& module, const char* name, std::size_t pointers, std::size_t numbers) {
    llvm::LLVMContext& context = module.getContext();
    std::vector<llvm::Type*> types(pointers, llvm::PointerType::get(context, 0));
    types.insert(types.end(), numbers, llvm::Type::getInt64Ty(context));
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    function->setDoesNotThrow();
    return *function;
}

}  // namespace sinter::gpu
