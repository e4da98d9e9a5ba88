// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors have no integer division, but floating-point division computes it exactly. Let a and b be integers below 2^p,
// where p is at most the number of bits of the significand, and a / b = q + r / b. The distance from a / b to q + 1 is at
// least 1 / b, and the rounding error is less than (a / b) 2^-p < 1 / b. So the truncated rounded quotient is q.
//
// Where all lanes divide by the same number, they multiply instead: (|a| + 1/2) / |b| is at least 1 / 2|b| away from any
// integer. The product of |a| + 1/2 with 1 / |b|, both rounded once, differs from it by little more than 2^-52 times its
// size: by about 1 / 4|b| at most where |a| <= 2^50. The remainder is a - q b, without any rounding.
#include "jit/emit/code/divide.hpp"

#include "jit/emit/code/convert.hpp"

#include <llvm/Analysis/VectorUtils.h>

namespace sinter::emit {

using ir::Scalar;

namespace {

class Divide {
  public:
    Divide(llvm::IRBuilder<>& builder, const ScalarOp& op)
        : ir(builder), op_(op), signed_(detail::is_signed_integer(op.operand)) {}

    llvm::Value* quotient(llvm::Value* a, llvm::Value* b) {
        if (llvm::Value* one = shared_divisor(a, b)) return integer_from_double(ir, by_inverse(a, one), a->getType());
        const int bits = detail::bits_of(op_.operand);
        if (!a->getType()->isVectorTy() || llvm::isa<llvm::Constant>(b) || (bits == 64 && !op_.small))
            return by_instruction(a, b);
        return bits <= 16 ? narrow(a, b) : wide(a, b);
    }

    llvm::Value* remainder(llvm::Value* a, llvm::Value* b) {
        llvm::Value* one = shared_divisor(a, b);
        if (!one) return ir.CreateSub(a, ir.CreateMul(quotient(a, b), b));
        llvm::Type* f = doubles(a);
        llvm::Value* product = ir.CreateFMul(by_inverse(a, one), splat(f, double_of(one)));
        return integer_from_double(ir, ir.CreateFSub(to_double(a, f), product), a->getType());
    }

  private:
    /// The divisor of all lanes, if they are to multiply by its inverse; null otherwise. LLVM divides by powers of two, and
    /// numbers of 32 bits by any known one, in a few instructions.
    llvm::Value* shared_divisor(llvm::Value* a, llvm::Value* b) const {
        const int bits = detail::bits_of(op_.operand);
        if (!a->getType()->isVectorTy() || bits <= 16 || (bits == 64 && !op_.small)) return nullptr;
        llvm::Value* one = llvm::getSplatValue(b);
        if (auto* known = llvm::dyn_cast_or_null<llvm::ConstantInt>(one))
            return bits == 64 && !known->isZero() && !known->getValue().abs().isPowerOf2() ? one : nullptr;
        return one;
    }

    /// The truncated quotients, as doubles.
    llvm::Value* by_inverse(llvm::Value* a, llvm::Value* divisor) {
        llvm::Type* f = doubles(a);
        llvm::Value *x = to_double(a, f), *half = llvm::ConstantFP::get(f, 0.5);
        llvm::Value* away = ir.CreateFAdd(x, ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, half, x));
        llvm::Value* inverse = ir.CreateFDiv(llvm::ConstantFP::get(ir.getDoubleTy(), 1), double_of(divisor));
        return ir.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, ir.CreateFMul(away, splat(f, inverse)));
    }

    static llvm::Type* doubles(llvm::Value* a) {
        return a->getType()->getWithNewType(llvm::Type::getDoubleTy(a->getContext()));
    }
    llvm::Value* splat(llvm::Type* vectors, llvm::Value* scalar) {
        return ir.CreateVectorSplat(llvm::cast<llvm::VectorType>(vectors)->getElementCount(), scalar);
    }
    llvm::Value* double_of(llvm::Value* scalar) {
        return signed_ ? ir.CreateSIToFP(scalar, ir.getDoubleTy()) : ir.CreateUIToFP(scalar, ir.getDoubleTy());
    }

    llvm::Constant* constant(llvm::Value* like, std::int64_t value) {
        return llvm::ConstantInt::get(like->getType(), static_cast<std::uint64_t>(value), true);
    }

    llvm::Value* by_instruction(llvm::Value* a, llvm::Value* b) {
        llvm::Value* zero = ir.CreateICmpEQ(b, constant(b, 0));
        if (!signed_) return ir.CreateUDiv(a, ir.CreateSelect(zero, constant(b, 1), b));
        llvm::Value* minus = ir.CreateICmpEQ(b, constant(b, -1));
        llvm::Value* safe = ir.CreateSelect(ir.CreateOr(zero, minus), constant(b, 1), b);
        llvm::Value* q = ir.CreateSDiv(a, safe);
        if (auto* known = llvm::dyn_cast<llvm::Constant>(minus); known && known->isNullValue()) return q;
        return ir.CreateSelect(minus, ir.CreateNeg(a), q);
    }

    llvm::Value* narrow(llvm::Value* a, llvm::Value* b) {
        llvm::Type* f = a->getType()->getWithNewType(ir.getFloatTy());
        llvm::Type* i = a->getType()->getWithNewType(ir.getInt32Ty());
        b = ir.CreateSelect(ir.CreateICmpEQ(b, constant(b, 0)), constant(b, 1), b);
        llvm::Value* q = ir.CreateFDiv(ir.CreateSIToFP(extend(a, i), f), ir.CreateSIToFP(extend(b, i), f));
        return ir.CreateTrunc(ir.CreateFPToSI(q, i), a->getType());
    }

    /// Divides integers of 32 bits, or of 64 bits that hold small numbers.
    llvm::Value* wide(llvm::Value* a, llvm::Value* b) {
        llvm::Type* f = a->getType()->getWithNewType(ir.getDoubleTy());
        llvm::Value* q = ir.CreateFDiv(to_double(a, f), to_double(b, f));
        q = ir.CreateIntrinsic(llvm::Intrinsic::trunc, {f}, {q});
        return integer_from_double(ir, q, a->getType());
    }

    llvm::Value* to_double(llvm::Value* v, llvm::Type* f) {
        if (v->getType()->getScalarSizeInBits() == 64) return double_from_small(ir, v);
        return signed_ ? ir.CreateSIToFP(v, f) : ir.CreateUIToFP(v, f);
    }

    llvm::Value* extend(llvm::Value* v, llvm::Type* t) { return signed_ ? ir.CreateSExt(v, t) : ir.CreateZExt(v, t); }

    llvm::IRBuilder<>& ir;
    const ScalarOp& op_;
    bool signed_;
};

}  // namespace

llvm::Value* emit_division(llvm::IRBuilder<>& ir, const ScalarOp& op, llvm::Value* a, llvm::Value* b, bool remainder) {
    Divide divide(ir, op);
    return remainder ? divide.remainder(a, b) : divide.quotient(a, b);
}

}  // namespace sinter::emit
