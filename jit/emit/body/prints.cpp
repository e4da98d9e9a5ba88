// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/prints.hpp"

#include <algorithm>

namespace sinter::emit {

Value Prints::emit(const Inst& inst, const Operands& operands) {
    llvm::Value* memory = code_.slot(ir.getInt64Ty(), static_cast<std::int64_t>(operands.size()));
    auto print = [&](auto element) {
        Few values;
        for (const Value* operand : operands) values.push_back(element(*operand));
        call(inst, memory, values);
    };
    if (!code_.lanes.vector()) {
        std::size_t rows = 1;
        for (const Value* operand : operands) rows = std::max(rows, operand->scalars.size());
        for (std::size_t r = 0; r < rows; ++r)
            print([&](const Value& value) { return value.scalars[value.scalars.size() == 1 ? 0 : r]; });
        return Value::uniform(Scalar::boolean, ir.getTrue());
    }
    Few none;
    for (int p = 0; p < code_.lanes.parts(); ++p)
        for (int lane = 0; lane < code_.lanes.width; ++lane) {
            auto print_lane = [&] {
                print([&](const Value& value) { return ir.CreateExtractElement(code_.vector(value, p), code_.i64(lane)); });
            };
            llvm::Value* mask = code_.mask(p);
            mask ? code_.when(ir.CreateExtractElement(mask, code_.i64(lane)), none, print_lane) : print_lane();
        }
    return Value::uniform(Scalar::boolean, ir.getTrue());
}

void Prints::call(const Inst& inst, llvm::Value* memory, llvm::ArrayRef<llvm::Value*> values) {
    llvm::Type *i64 = ir.getInt64Ty(), *pointer = ir.getPtrTy(), *i32 = ir.getInt32Ty();
    auto* type = llvm::FunctionType::get(ir.getVoidTy(), {pointer, pointer, i32, i64, pointer, i64}, false);
    for (std::size_t k = 1; k < values.size(); ++k)
        ir.CreateStore(values[k], ir.CreateGEP(i64, memory, code_.i64(static_cast<std::int64_t>(k) - 1)));
    llvm::Value* print = fields_.argument(offsetof(Arguments, print), pointer);
    auto* call = ir.CreateCall(
        type, print,
        {fields_.argument(offsetof(Arguments, error), pointer), fields_.argument(offsetof(Arguments, kernel), pointer),
         ir.getInt32(static_cast<std::uint32_t>(inst.bits)), values[0], memory,
         code_.i64(static_cast<std::int64_t>(values.size()) - 1)});
    call->setDoesNotThrow();
}

}  // namespace sinter::emit
