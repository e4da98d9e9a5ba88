// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/scalar_ops.hpp"

#include "jit/emit/code/convert.hpp"
#include "jit/emit/code/divide.hpp"
#include "jit/emit/code/scale.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "support/check.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Intrinsics.h>

#include <array>
#include <optional>

namespace sinter::emit {

using detail::is_float;
using detail::is_signed_integer;
using ir::Op;
using ir::Scalar;
using llvm::Intrinsic::ID;

namespace {

class Emit {
  public:
    Emit(llvm::IRBuilder<>& builder, const Machine& machine, const ScalarOp& op)
        : ir(builder), machine_(machine), op_(op), floating_(is_float(op.operand)), signed_(is_signed_integer(op.operand)) {}

    llvm::Value* operator()(llvm::ArrayRef<llvm::Value*> args) {
        if (op_.operand != Scalar::f16 || is_exact()) return emit(args);
        llvm::SmallVector<llvm::Value*, 3> wide;
        for (llvm::Value* v : args) wide.push_back(ir.CreateFPExt(v, v->getType()->getWithNewType(ir.getFloatTy())));
        llvm::Value* result = emit(wide);
        return op_.result == Scalar::boolean ? result : ir.CreateFPTrunc(result, args[0]->getType());
    }

  private:
    /// True if it is done on the pattern of an f16, not by way of f32.
    bool is_exact() const {
        return op_.op == Op::select || op_.op == Op::cast || op_.op == Op::bit_cast || op_.op == Op::negate ||
               op_.op == Op::abs || op_.op == Op::copysign;
    }

    llvm::Value* call(ID id, llvm::ArrayRef<llvm::Value*> args) {
        return ir.CreateIntrinsic(id, {args[0]->getType()}, args);
    }

    llvm::Value* count(ID id, llvm::Value* x) { return ir.CreateIntrinsic(id, {x->getType()}, {x, ir.getFalse()}); }

    llvm::Value* compare(llvm::CmpInst::Predicate ordered, llvm::CmpInst::Predicate s, llvm::CmpInst::Predicate u,
                         llvm::ArrayRef<llvm::Value*> a) {
        return floating_ ? ir.CreateFCmp(ordered, a[0], a[1]) : ir.CreateICmp(signed_ ? s : u, a[0], a[1]);
    }

    llvm::Value* shift_count(llvm::Value* count) {
        const auto width = static_cast<std::uint64_t>(detail::bits_of(op_.operand));
        return ir.CreateAnd(count, llvm::ConstantInt::get(count->getType(), width - 1));
    }

    /// Does what minps does: a < b ? a : b.
    llvm::Value* first_if(llvm::CmpInst::Predicate p, llvm::Value* a, llvm::Value* b) {
        return ir.CreateSelect(ir.CreateFCmp(p, a, b), a, b);
    }

    static const llvm::APFloat* known(llvm::Value* v) {
        auto* constant = llvm::dyn_cast<llvm::Constant>(v);
        if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
        auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
        return number && !number->isNaN() ? &number->getValueAPF() : nullptr;
    }

    /// NaN if an operand is NaN, and -0 before +0. With a constant operand that cannot be the wrong zero, one instruction
    /// does it; otherwise it is executed with both orders of operands, whose results differ only for NaNs and zeros.
    llvm::Value* extremum(llvm::Value* a, llvm::Value* b, bool largest) {
        if (!machine_.x86 && compat::has_maximum)
            return call(largest ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, {a, b});
        const auto p = largest ? llvm::CmpInst::FCMP_OGT : llvm::CmpInst::FCMP_OLT;
        if (known(a)) std::swap(a, b);
        if (const auto* c = known(b)) {
            llvm::Value* m = first_if(p, b, a);
            const bool wrong_zero = c->isZero() && c->isNegative() != largest;
            if (!wrong_zero) return m;
            if (largest) return ir.CreateFAdd(m, b);
        }
        llvm::Type* bits = integer_like(a->getType());
        llvm::Value* x = ir.CreateBitCast(first_if(p, a, b), bits);
        llvm::Value* y = ir.CreateBitCast(first_if(p, b, a), bits);
        if (!largest) return ir.CreateBitCast(ir.CreateOr(x, y), a->getType());
        llvm::Value* both = ir.CreateAnd(x, y);
        llvm::Value* nan = ir.CreateSExt(ir.CreateFCmpUNO(a, b), bits);
        return ir.CreateBitCast(ir.CreateOr(both, nan), a->getType());
    }

    /// As extremum, except that a single NaN operand is ignored.
    llvm::Value* number_extremum(llvm::Value* a, llvm::Value* b, bool largest) {
        llvm::Value* m = extremum(a, b, largest);
        m = ir.CreateSelect(ir.CreateFCmpUNO(a, a), b, m);
        return ir.CreateSelect(ir.CreateFCmpUNO(b, b), a, m);
    }

    /// The flag marks the product for sum(); it allows LLVM nothing, because no sum has it.
    llvm::Value* product(llvm::Value* a, llvm::Value* b) {
        llvm::Value* result = ir.CreateFMul(a, b);
        if (auto* inst = llvm::dyn_cast<llvm::Instruction>(result); inst && op_.contract) inst->setHasAllowContract(true);
        return result;
    }

    /// The factors of a product that may stay exact; in lanes, if the product is.
    std::optional<std::array<llvm::Value*, 2>> factors(llvm::Value* v) {
        llvm::Value* one = v->getType()->isVectorTy() ? llvm::getSplatValue(v) : nullptr;
        auto* inst = llvm::dyn_cast<llvm::Instruction>(one ? one : v);
        if (!inst || inst->getOpcode() != llvm::Instruction::FMul || !inst->hasAllowContract()) return std::nullopt;
        std::array<llvm::Value*, 2> result{inst->getOperand(0), inst->getOperand(1)};
        if (one) {
            for (llvm::Value*& factor : result)
                factor = ir.CreateVectorSplat(llvm::cast<llvm::VectorType>(v->getType())->getElementCount(), factor);
        }
        return result;
    }

    /// a + b or a - b, with an exact product where that is allowed.
    llvm::Value* sum(llvm::Value* a, llvm::Value* b, bool subtract) {
        if (op_.contract) {
            if (const auto f = factors(b))
                return call(llvm::Intrinsic::fma, {subtract ? ir.CreateFNeg((*f)[0]) : (*f)[0], (*f)[1], a});
            if (const auto f = factors(a))
                return call(llvm::Intrinsic::fma, {(*f)[0], (*f)[1], subtract ? ir.CreateFNeg(b) : b});
        }
        return subtract ? ir.CreateFSub(a, b) : ir.CreateFAdd(a, b);
    }

    llvm::Type* integer_like(llvm::Type* t) {
        return t->getWithNewType(ir.getIntNTy(t->getScalarType()->getPrimitiveSizeInBits().getFixedValue()));
    }

    llvm::Value* integer_extremum(llvm::ArrayRef<llvm::Value*> a, ID s, ID u) { return call(signed_ ? s : u, a); }

    /// 0 <= result < n, or 0 if n is not positive.
    llvm::Value* modulo(llvm::Value* x, llvm::Value* n) {
        llvm::Constant *zero = llvm::ConstantInt::get(n->getType(), 0), *one = llvm::ConstantInt::get(n->getType(), 1);
        n = ir.CreateSelect(ir.CreateICmpSGT(n, zero), n, one);
        llvm::Value* r = ir.CreateSRem(x, n);
        return ir.CreateSelect(ir.CreateICmpSLT(r, zero), ir.CreateAdd(r, n), r);
    }

    /// The distance forwards or, counted from the other end of a period, backwards: whichever is less. If n is 0, the latter
    /// wraps around.
    llvm::Value* reflected(llvm::Value* x, llvm::Value* n, bool repeated) {
        auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(n->getType(), value); };
        llvm::Value *twice = ir.CreateShl(n, number(1)), *last = ir.CreateSub(twice, number(repeated ? 1 : 2));
        llvm::Value* at = modulo(x, repeated ? twice : last);
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, at, ir.CreateSub(last, at));
    }

    llvm::Value* emit(llvm::ArrayRef<llvm::Value*> a);

    llvm::IRBuilder<>& ir;
    const Machine& machine_;
    const ScalarOp& op_;
    bool floating_, signed_;
};

llvm::Value* Emit::emit(llvm::ArrayRef<llvm::Value*> a) {
    using P = llvm::CmpInst;
    namespace I = llvm::Intrinsic;
    switch (op_.op) {
        case Op::add:
            return floating_ ? sum(a[0], a[1], false) : ir.CreateAdd(a[0], a[1]);
        case Op::sub:
            return floating_ ? sum(a[0], a[1], true) : ir.CreateSub(a[0], a[1]);
        case Op::mul:
            return floating_ ? product(a[0], a[1]) : ir.CreateMul(a[0], a[1]);
        case Op::div:
            return floating_ ? ir.CreateFDiv(a[0], a[1]) : emit_division(ir, op_, a[0], a[1], false);
        case Op::rem:
            return floating_ ? ir.CreateFRem(a[0], a[1]) : emit_division(ir, op_, a[0], a[1], true);
        case Op::negate:
            return floating_ ? ir.CreateFNeg(a[0]) : ir.CreateNeg(a[0]);
        case Op::abs:
            return floating_ ? call(I::fabs, a) : signed_ ? count(I::abs, a[0]) : a[0];
        case Op::minimum:
            return floating_ ? extremum(a[0], a[1], false) : integer_extremum(a, I::smin, I::umin);
        case Op::maximum:
            return floating_ ? extremum(a[0], a[1], true) : integer_extremum(a, I::smax, I::umax);
        case Op::fmin:
            return number_extremum(a[0], a[1], false);
        case Op::fmax:
            return number_extremum(a[0], a[1], true);
        case Op::fma:
            return call(I::fma, a);
        case Op::scale:
            return emit_scale(ir, machine_, a[0], a[1]);
        case Op::sqrt:
            return call(I::sqrt, a);
        case Op::floor:
            return call(I::floor, a);
        case Op::ceil:
            return call(I::ceil, a);
        case Op::trunc:
            return call(I::trunc, a);
        case Op::round:
            return call(I::round, a);
        case Op::rint:
            return call(I::nearbyint, a);
        case Op::copysign:
            return call(I::copysign, a);
        case Op::bit_and:
            return ir.CreateAnd(a[0], a[1]);
        case Op::bit_or:
            return ir.CreateOr(a[0], a[1]);
        case Op::bit_xor:
            return ir.CreateXor(a[0], a[1]);
        case Op::bit_not:
            return ir.CreateNot(a[0]);
        case Op::inside:
            return ir.CreateICmpULT(a[0], a[1]);  // because a negative index is a large unsigned one
        case Op::wrap:
            return modulo(a[0], a[1]);
        case Op::symmetric:
            return reflected(a[0], a[1], true);
        case Op::reflect:
            return reflected(a[0], a[1], false);
        case Op::shift_left:
            return ir.CreateShl(a[0], shift_count(a[1]));
        case Op::shift_right:
            return signed_ ? ir.CreateAShr(a[0], shift_count(a[1])) : ir.CreateLShr(a[0], shift_count(a[1]));
        case Op::popcount:
            return call(I::ctpop, a);
        case Op::clz:
            return count(I::ctlz, a[0]);
        case Op::ctz:
            return count(I::cttz, a[0]);
        case Op::equal:
            return compare(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ, a);
        case Op::not_equal:
            return compare(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE, a);
        case Op::less:
            return compare(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT, a);
        case Op::less_equal:
            return compare(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE, a);
        case Op::greater:
            return compare(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT, a);
        case Op::greater_equal:
            return compare(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE, a);
        case Op::select:
            return ir.CreateSelect(a[0], a[1], a[2]);
        case Op::cast:
            return emit_cast(ir, op_, a[0]);
        case Op::bit_cast:
            return ir.CreateBitCast(a[0], a[0]->getType()->getWithNewType(register_type(ir, op_.result)));
        default:
            check(false, "scalar operation expected");
            return nullptr;
    }
}

}  // namespace

llvm::Value* emit_scalar(llvm::IRBuilder<>& ir, const Machine& machine, const ScalarOp& op,
                         llvm::ArrayRef<llvm::Value*> args) {
    return Emit(ir, machine, op)(args);
}

llvm::Constant* emit_constant(llvm::IRBuilder<>& ir, llvm::Type* type, std::uint64_t bits) {
    if (type->isIntegerTy()) return llvm::ConstantInt::get(type, bits);
    const llvm::APInt pattern(type->getPrimitiveSizeInBits().getFixedValue(), bits);
    return llvm::ConstantFP::get(ir.getContext(), llvm::APFloat(type->getFltSemantics(), pattern));
}

}  // namespace sinter::emit
