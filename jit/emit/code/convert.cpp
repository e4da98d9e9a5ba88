// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/convert.hpp"

#include <llvm/IR/Intrinsics.h>

#include <cmath>
#include <cstdint>

namespace sinter::emit {

using detail::bits_of;
using detail::is_float;
using detail::is_signed_integer;
using ir::Scalar;

namespace {

/// 2^52 + 2^51: added to a small integer, it leaves that in the low bits of the significand.
constexpr double magic = 6755399441055744.0;
constexpr std::int64_t magic_bits = 0x4338000000000000;

class Convert {
  public:
    Convert(llvm::IRBuilder<>& builder, const ScalarOp& op, llvm::Type* like)
        : ir(builder), from_(op.operand), to_(op.result), small_(op.small), type_(of(op.result, like)), like_(like) {}

    llvm::Value* operator()(llvm::Value* x) {
        if (from_ == to_) return x;
        if (to_ == Scalar::boolean) return to_boolean(x);
        if (from_ == Scalar::boolean) return from_boolean(x);
        if (is_float(from_)) return is_float(to_) ? between_floats(x) : saturate(x);
        return is_float(to_) ? float_from_integer(x) : between_integers(x);
    }

  private:
    llvm::Type* of(Scalar s, llvm::Type* like) { return like->getWithNewType(register_type(ir, s)); }

    llvm::Value* to_boolean(llvm::Value* x) {
        llvm::Constant* zero = llvm::Constant::getNullValue(x->getType());
        return is_float(from_) ? ir.CreateFCmpUNE(x, zero) : ir.CreateICmpNE(x, zero);
    }

    llvm::Value* from_boolean(llvm::Value* x) {
        if (!is_float(to_)) return ir.CreateZExt(x, type_);
        return ir.CreateSelect(x, llvm::ConstantFP::get(type_, 1.0), llvm::ConstantFP::get(type_, 0.0));
    }

    llvm::Value* between_integers(llvm::Value* x) {
        return is_signed_integer(from_) ? ir.CreateSExtOrTrunc(x, type_) : ir.CreateZExtOrTrunc(x, type_);
    }

    llvm::Value* between_floats(llvm::Value* x) {
        if (from_ == Scalar::f64 && to_ == Scalar::f16) return ir.CreateFPTrunc(round_to_odd(x), type_);
        return ir.CreateFPCast(x, type_);
    }

    /// Converts f64 to f32 such that rounding the result again, to f16, is the same as rounding once.
    llvm::Value* round_to_odd(llvm::Value* x) {
        llvm::Type* f = of(Scalar::f32, like_);
        llvm::Type* i = of(Scalar::u32, like_);
        llvm::Value* y = ir.CreateFPTrunc(x, f);
        llvm::Value* back = ir.CreateFPExt(y, x->getType());
        auto magnitude = [&](llvm::Value* v) { return ir.CreateIntrinsic(llvm::Intrinsic::fabs, {v->getType()}, {v}); };
        llvm::Value* away = ir.CreateZExt(ir.CreateFCmpOGT(magnitude(back), magnitude(x)), i);
        llvm::Value* inexact = ir.CreateZExt(ir.CreateFCmpONE(back, x), i);
        llvm::Value* bits = ir.CreateSub(ir.CreateBitCast(y, i), away);
        return ir.CreateBitCast(ir.CreateOr(bits, inexact), f);
    }

    llvm::Value* float_from_integer(llvm::Value* x) {
        if (to_ == Scalar::f16) return ir.CreateFPTrunc(direct(x, of(Scalar::f32, like_)), type_);
        return direct(x, type_);
    }

    llvm::Value* direct(llvm::Value* x, llvm::Type* to) {
        if (from_ == Scalar::i64 && small_ && x->getType()->isVectorTy())
            return ir.CreateFPCast(double_from_small(ir, x), to);
        return is_signed_integer(from_) ? ir.CreateSIToFP(x, to) : ir.CreateUIToFP(x, to);
    }

    llvm::Value* saturate(llvm::Value* x) {
        if (from_ == Scalar::f16) x = ir.CreateFPExt(x, of(Scalar::f32, like_));
        if (bits_of(to_) == 64) return x->getType()->isVectorTy() ? wide_integers(x) : wide_integer(x);
        if (to_ == Scalar::u32) return to_u32(x);
        if (to_ == Scalar::i32 && from_ != Scalar::f64) return i32_from_f32(x);
        const double above = std::ldexp(1.0, bits_of(to_) - is_signed_integer(to_));
        llvm::Value* i = ir.CreateFPToSI(clamp(x, is_signed_integer(to_) ? -above : 0.0, above - 1), of(Scalar::i32, like_));
        return ordered(x, ir.CreateTrunc(i, type_));
    }

    /// The result is lo for NaN.
    llvm::Value* clamp(llvm::Value* x, double lo, double hi) {
        llvm::Constant* low = llvm::ConstantFP::get(x->getType(), lo);
        llvm::Constant* high = llvm::ConstantFP::get(x->getType(), hi);
        x = ir.CreateSelect(ir.CreateFCmpOGT(x, low), x, low);
        return ir.CreateSelect(ir.CreateFCmpOLT(x, high), x, high);
    }

    llvm::Value* ordered(llvm::Value* x, llvm::Value* result) {
        return ir.CreateSelect(ir.CreateFCmpORD(x, x), result, llvm::Constant::getNullValue(result->getType()));
    }

    llvm::Value* wide_integer(llvm::Value* x) {
        const auto saturates = is_signed_integer(to_) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
        return ir.CreateIntrinsic(saturates, {type_, x->getType()}, {x});
    }

    /// LLVM 19 takes the lanes of that one by one, although processors convert them together.
    llvm::Value* wide_integers(llvm::Value* x) {
        const bool has_sign = is_signed_integer(to_);
        const double above = std::ldexp(1.0, has_sign ? 63 : 64);
        const double largest = x->getType()->getScalarType()->isFloatTy() ? std::nextafter(static_cast<float>(above), 0.f)
                                                                          : std::nextafter(above, 0.0);
        llvm::Value* inside = clamp(x, has_sign ? -above : 0.0, largest);
        llvm::Value* i = has_sign ? ir.CreateFPToSI(inside, type_) : ir.CreateFPToUI(inside, type_);
        const std::uint64_t most = has_sign ? INT64_MAX : UINT64_MAX;
        llvm::Value* is_above = ir.CreateFCmpOGT(x, llvm::ConstantFP::get(x->getType(), largest));
        i = ir.CreateSelect(is_above, llvm::ConstantInt::get(type_, most), i);
        return has_sign ? ordered(x, i) : i;
    }

    llvm::Value* i32_from_f32(llvm::Value* x) {
        constexpr double largest = 2147483520.0;  // the f32 before 2^31
        llvm::Value* i = ir.CreateFPToSI(clamp(x, -2147483648.0, largest), type_);
        llvm::Value* above = ir.CreateFCmpOGT(x, llvm::ConstantFP::get(x->getType(), largest));
        i = ir.CreateSelect(above, llvm::ConstantInt::get(type_, 0x7fffffff), i);
        return ordered(x, i);
    }

    llvm::Value* to_u32(llvm::Value* x) {
        llvm::Value* wide = clamp(ir.CreateFPCast(x, of(Scalar::f64, like_)), 0.0, 4294967295.0);
        wide = ir.CreateIntrinsic(llvm::Intrinsic::trunc, {wide->getType()}, {wide});
        return integer_from_double(ir, wide, type_);
    }

    llvm::IRBuilder<>& ir;
    Scalar from_, to_;
    bool small_;
    llvm::Type *type_, *like_;
};

}  // namespace

llvm::Type* register_type(llvm::IRBuilder<>& ir, Scalar type) {
    switch (type) {
        case Scalar::boolean:
            return ir.getInt1Ty();
        case Scalar::f16:
            return ir.getHalfTy();
        case Scalar::f32:
            return ir.getFloatTy();
        case Scalar::f64:
            return ir.getDoubleTy();
        default:
            return ir.getIntNTy(static_cast<unsigned>(bits_of(type)));
    }
}

llvm::Value* emit_cast(llvm::IRBuilder<>& ir, const ScalarOp& op, llvm::Value* x) {
    return Convert(ir, op, x->getType())(x);
}

llvm::Value* double_from_small(llvm::IRBuilder<>& ir, llvm::Value* x) {
    llvm::Type* f = x->getType()->getWithNewType(ir.getDoubleTy());
    llvm::Value* shifted = ir.CreateAdd(x, llvm::ConstantInt::get(x->getType(), magic_bits));
    return ir.CreateFSub(ir.CreateBitCast(shifted, f), llvm::ConstantFP::get(f, magic));
}

llvm::Value* integer_from_double(llvm::IRBuilder<>& ir, llvm::Value* x, llvm::Type* to) {
    llvm::Type* i = x->getType()->getWithNewType(ir.getInt64Ty());
    llvm::Value* shifted = ir.CreateBitCast(ir.CreateFAdd(x, llvm::ConstantFP::get(x->getType(), magic)), i);
    if (to->getScalarSizeInBits() == 32) return ir.CreateTrunc(shifted, to);
    return ir.CreateSub(shifted, llvm::ConstantInt::get(i, magic_bits));
}

}  // namespace sinter::emit
