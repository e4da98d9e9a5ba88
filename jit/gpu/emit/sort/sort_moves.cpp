// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/sort/sort_code.hpp"
#include "jit/gpu/emit/sort/sort_kernels.hpp"

namespace sinter::gpu {

namespace {

class Gather : public SortCode {
  public:
    using SortCode::SortCode;

    void emit(int element_bytes) {
        llvm::Type* type = ir.getIntNTy(8 * static_cast<unsigned>(element_bytes));
        llvm::Value *from = argument(0), *to = argument(1), *positions = argument(2), *length = argument(4);
        by_threads(ir.CreateMul(argument(3), length), [&](llvm::Value* i) {
            llvm::Value* row = ir.CreateSub(i, ir.CreateURem(i, length));
            llvm::Value* source = ir.CreateAdd(row, wide(load_word(positions, i)));
            ir.CreateStore(ir.CreateLoad(type, at(type, from, source)), at(type, to, i));
        });
    }
};

class RowNumbers : public SortCode {
  public:
    using SortCode::SortCode;

    void emit() {
        by_threads(argument(2), [&](llvm::Value* i) {
            llvm::Value* row = ir.CreateUDiv(wide(load_word(argument(1), i)), argument(3));
            ir.CreateStore(ir.CreateTrunc(row, ir.getInt32Ty()), word(argument(0), i));
        });
    }
};

}  // namespace

void emit_gather(llvm::Module& module, int element_bytes) {
    Gather gather(declare_sort(module, "gather", 3, 2), block_threads);
    gather.emit(element_bytes);
    gather.end();
}

void emit_row_numbers(llvm::Module& module) {
    RowNumbers numbers(declare_sort(module, "row_numbers", 2, 2), block_threads);
    numbers.emit();
    numbers.end();
}

}  // namespace sinter::gpu
