// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/scale.hpp"

#include "jit/emit/arch/instructions.hpp"

namespace sinter::emit {

/// Without that instruction, y is multiplied in two halves, so that overflow and gradual underflow round once. n is in the
/// low bits of n + 1.5 * 2^mantissa, from which it is usually computed.
llvm::Value* emit_scale(llvm::IRBuilder<>& ir, const Machine& machine, llvm::Value* y, llvm::Value* n) {
    if (llvm::Value* result = machine.mask_registers ? scale_by_instruction(ir, y, n) : nullptr) return result;
    llvm::Type* type = y->getType();
    const bool single = type->getScalarType()->isFloatTy();
    llvm::Type* bits = type->getWithNewType(single ? ir.getInt32Ty() : ir.getInt64Ty());
    llvm::Constant* shift = llvm::ConstantFP::get(type, single ? 0x1.8p23 : 0x1.8p52);
    auto* difference = llvm::dyn_cast<llvm::BinaryOperator>(n);
    const bool shifted =
        difference && difference->getOpcode() == llvm::Instruction::FSub && difference->getOperand(1) == shift;
    llvm::Value* whole = ir.CreateBitCast(shifted ? difference->getOperand(0) : ir.CreateFAdd(n, shift), bits);
    llvm::Constant* mantissa = llvm::ConstantInt::get(bits, single ? 23 : 52);
    llvm::Constant* one = llvm::ConstantInt::get(bits, single ? 0x3f800000 : 0x3ff0000000000000);
    auto power = [&](llvm::Value* e) { return ir.CreateBitCast(ir.CreateAdd(ir.CreateShl(e, mantissa), one), type); };
    llvm::Value* half = ir.CreateLShr(whole, llvm::ConstantInt::get(bits, 1));
    return ir.CreateFMul(ir.CreateFMul(y, power(half)), power(ir.CreateSub(whole, half)));
}

}  // namespace sinter::emit
