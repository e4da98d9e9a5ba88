// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/memory/fields.hpp"

#include "jit/emit/llvm/metadata.hpp"

namespace sinter::emit {

llvm::Value* Fields::argument(std::size_t offset, llvm::Type* type) {
    llvm::IRBuilder<>& ir = code_.ir;
    auto& field = of_arguments_[offset];
    if (!field)
        field = code_.pure(
            {}, [&] { return invariant(ir.CreateLoad(type, ir.CreateConstGEP1_64(ir.getInt8Ty(), arguments_, offset))); });
    return field;
}

llvm::Value* Fields::tile(std::size_t offset) {
    llvm::IRBuilder<>& ir = code_.ir;
    auto& field = of_tile_[offset];
    if (!field)
        field = code_.pure({}, [&] {
            return invariant(ir.CreateLoad(ir.getInt64Ty(), ir.CreateConstGEP1_64(ir.getInt8Ty(), tile_, offset)));
        });
    return field;
}

llvm::Value* Fields::size(std::size_t index) {
    llvm::IRBuilder<>& ir = code_.ir;
    auto& field = sizes_[index];
    if (!field) {
        llvm::Value* sizes = argument(offsetof(Arguments, sizes), ir.getPtrTy());
        field = code_.pure({}, [&] {
            return invariant(ir.CreateLoad(ir.getInt64Ty(), ir.CreateConstGEP1_64(ir.getInt64Ty(), sizes, index)));
        });
    }
    return field;
}

}  // namespace sinter::emit
