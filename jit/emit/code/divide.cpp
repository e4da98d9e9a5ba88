// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors have no integer division, but floating-point division computes it exactly. Let a and b be integers below 2^p,
// where p is at most the number of bits of the significand, and a / b = q + r / b. The distance from a / b to q + 1 is at
// least 1 / b, and the rounding error is less than (a / b) 2^-p < 1 / b. So the truncated rounded quotient is q.
#include "jit/emit/code/divide.hpp"

#include "jit/emit/code/convert.hpp"

namespace sinter::emit {

using ir::Scalar;

namespace {

class Divide {
  public:
    Divide(llvm::IRBuilder<>& builder, const ScalarOp& op)
        : ir(builder), op_(op), signed_(detail::is_signed_integer(op.operand)) {}

    llvm::Value* quotient(llvm::Value* a, llvm::Value* b) {
        const int bits = detail::bits_of(op_.operand);
        if (!a->getType()->isVectorTy() || llvm::isa<llvm::Constant>(b) || (bits == 64 && !op_.small))
            return by_instruction(a, b);
        return bits <= 16 ? narrow(a, b) : wide(a, b);
    }

  private:
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
    llvm::Value* q = Divide(ir, op).quotient(a, b);
    return remainder ? ir.CreateSub(a, ir.CreateMul(q, b)) : q;
}

}  // namespace sinter::emit
