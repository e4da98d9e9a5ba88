// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/scale.hpp"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <numeric>

namespace sinter::emit {

namespace {

using llvm::Intrinsic::ID;

/// AVX-512's instruction for vectors of `width` bits.
ID instruction(std::uint64_t width, bool single) {
    namespace I = llvm::Intrinsic;
    switch (width) {
        case 128:
            return single ? I::x86_avx512_mask_scalef_ps_128 : I::x86_avx512_mask_scalef_pd_128;
        case 256:
            return single ? I::x86_avx512_mask_scalef_ps_256 : I::x86_avx512_mask_scalef_pd_256;
        case 512:
            return single ? I::x86_avx512_mask_scalef_ps_512 : I::x86_avx512_mask_scalef_pd_512;
        default:
            return I::not_intrinsic;
    }
}

/// Null for scalars, and for vectors that do not fill registers.
llvm::Value* by_instruction(llvm::IRBuilder<>& ir, llvm::Value* y, llvm::Value* n) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(y->getType());
    if (!type) return nullptr;
    const std::uint64_t width = type->getPrimitiveSizeInBits().getFixedValue();
    const unsigned lanes = type->getNumElements();
    if (width > 512) {
        llvm::SmallVector<int, 64> all(lanes);
        std::iota(all.begin(), all.end(), 0);
        auto part = [&](llvm::ArrayRef<int> picked) {
            return by_instruction(ir, ir.CreateShuffleVector(y, picked), ir.CreateShuffleVector(n, picked));
        };
        llvm::Value *low = part(llvm::ArrayRef(all).take_front(lanes / 2)),
                    *high = part(llvm::ArrayRef(all).drop_front(lanes / 2));
        return low && high ? ir.CreateShuffleVector(low, high, all) : nullptr;
    }
    const ID id = instruction(width, type->getScalarType()->isFloatTy());
    if (id == llvm::Intrinsic::not_intrinsic) return nullptr;
    constexpr unsigned smallest_mask = 8, rounding_of_mxcsr = 4;
    llvm::Constant* whole = llvm::Constant::getAllOnesValue(ir.getIntNTy(std::max(lanes, smallest_mask)));
    llvm::SmallVector<llvm::Value*, 5> args{y, n, y, whole};
    if (width == 512) args.push_back(ir.getInt32(rounding_of_mxcsr));
    return ir.CreateIntrinsic(id, {}, args);
}

}  // namespace

/// Without that instruction, y is multiplied in two halves, so that overflow and gradual underflow round once. n is in the
/// low bits of n + 1.5 * 2^mantissa, from which it is usually computed.
llvm::Value* emit_scale(llvm::IRBuilder<>& ir, const Machine& machine, llvm::Value* y, llvm::Value* n) {
    if (llvm::Value* result = machine.mask_registers ? by_instruction(ir, y, n) : nullptr) return result;
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
