// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/builtins.hpp"

#include <algorithm>

namespace sinter::gpu {

llvm::Value* Builtins::call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments, bool constant) {
    llvm::SmallVector<llvm::Type*, 2> types;
    for (llvm::Value* v : arguments) types.push_back(v->getType());
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    if (constant)
        function->setDoesNotAccessMemory();
    else
        function->setConvergent();
    return ir.CreateCall(callee, arguments);
}

llvm::Value* Builtins::from_lane(llvm::Value* value, llvm::Value* lane) {
    llvm::Type* type = value->getType();
    const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
    auto word = [&](llvm::Value* v) { return call(builtin::from_lane, ir.getInt32Ty(), {v, lane}); };
    llvm::Value* pattern = ir.CreateBitCast(value, ir.getIntNTy(bits));
    if (bits <= 32) {
        llvm::Value* moved = word(ir.CreateZExt(pattern, ir.getInt32Ty()));
        return ir.CreateBitCast(ir.CreateTrunc(moved, ir.getIntNTy(bits)), type);
    }
    llvm::Value* low = word(ir.CreateTrunc(pattern, ir.getInt32Ty()));
    llvm::Value* high = word(ir.CreateTrunc(ir.CreateLShr(pattern, 32), ir.getInt32Ty()));
    llvm::Value* both =
        ir.CreateOr(ir.CreateZExt(low, ir.getInt64Ty()), ir.CreateShl(ir.CreateZExt(high, ir.getInt64Ty()), 32));
    return ir.CreateBitCast(both, type);
}

llvm::Value* Builtins::shared(std::size_t bytes) {
    shared_bytes_ = std::max(shared_bytes_, bytes);
    return call(builtin::shared, ir.getPtrTy(), {}, true);
}

}  // namespace sinter::gpu
