// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long division of the significands, one bit at a time; everything fits in the bits of the type.
#include "jit/gpu/emit/remainder.hpp"

namespace sinter::gpu {

namespace {

using emit::Few;

class Remainder {
  public:
    Remainder(emit::Code& code, llvm::Value* x, llvm::Value* y) : c_(code), ir(code.ir), x_(x), y_(y), type_(x->getType()) {
        bits_ = static_cast<unsigned>(type_->getPrimitiveSizeInBits().getFixedValue());
        fraction_ = bits_ == 32 ? 23 : 52;
        word_ = ir.getIntNTy(bits_);
    }

    llvm::Value* emit() {
        llvm::Value *ax = magnitude(x_), *ay = magnitude(y_);
        llvm::Constant *zero = number(0), *infinity = llvm::ConstantInt::get(word_, llvm::APInt(bits_, infinite()));
        llvm::Value* defined = ir.CreateAnd(ir.CreateICmpULT(ax, infinity), ir.CreateICmpULE(ay, infinity));
        defined = ir.CreateAnd(defined, ir.CreateICmpNE(ay, zero));
        llvm::Value* divides = ir.CreateAnd(defined, ir.CreateICmpUGE(ax, ay));
        Few rest{ax};
        c_.when(divides, rest, [&] { rest[0] = divide(ax, ay); });
        llvm::Value* sign = ir.CreateXor(ir.CreateBitCast(x_, word_), ax);
        llvm::Value* result = ir.CreateBitCast(ir.CreateOr(rest[0], sign), type_);
        return ir.CreateSelect(defined, result, llvm::ConstantFP::getNaN(type_));
    }

  private:
    struct Parts {
        llvm::Value *exponent, *significand;  ///< with its first bit at position fraction_
    };

    std::uint64_t infinite() const { return bits_ == 32 ? 0x7f800000 : 0x7ff0000000000000; }
    llvm::Constant* number(std::uint64_t n) { return llvm::ConstantInt::get(word_, n); }
    llvm::Value* magnitude(llvm::Value* v) {
        return ir.CreateAnd(ir.CreateBitCast(v, word_),
                            llvm::ConstantInt::get(word_, llvm::APInt::getSignedMaxValue(bits_)));
    }

    /// Moves the first bit of the significand to its position.
    Parts normalise(Parts p) {
        llvm::Value* zeros = ir.CreateIntrinsic(llvm::Intrinsic::ctlz, {word_}, {p.significand, ir.getFalse()});
        llvm::Value* by = ir.CreateSub(zeros, number(bits_ - 1 - fraction_));
        return {ir.CreateSub(p.exponent, by), ir.CreateShl(p.significand, by)};
    }

    Parts parts(llvm::Value* a) {
        llvm::Value* exponent = ir.CreateLShr(a, fraction_);
        llvm::Value* low = ir.CreateAnd(a, number((std::uint64_t{1} << fraction_) - 1));
        llvm::Value* is_normal = ir.CreateIsNotNull(exponent);
        llvm::Value* first = ir.CreateSelect(is_normal, number(std::uint64_t{1} << fraction_), number(0));
        return normalise({ir.CreateSelect(is_normal, exponent, number(1)), ir.CreateOr(low, first)});
    }

    llvm::Value* reduce(llvm::Value* a, llvm::Value* b) {
        return ir.CreateSelect(ir.CreateICmpUGE(a, b), ir.CreateSub(a, b), a);
    }

    /// Requires 0 < ay <= ax, both finite.
    llvm::Value* divide(llvm::Value* ax, llvm::Value* ay) {
        const Parts x = parts(ax), y = parts(ay);
        Few state{x.significand, x.exponent};
        c_.loop_from_top(
            state, [&] { return ir.CreateICmpSGT(state[1], y.exponent); },
            [&] { state = {ir.CreateShl(reduce(state[0], y.significand), 1), ir.CreateSub(state[1], number(1))}; });
        llvm::Value* rest = reduce(state[0], y.significand);
        return ir.CreateSelect(ir.CreateIsNull(rest), number(0), compose(normalise({y.exponent, rest})));
    }

    llvm::Value* compose(Parts p) {
        llvm::Value* normal = ir.CreateAdd(ir.CreateShl(ir.CreateSub(p.exponent, number(1)), fraction_), p.significand);
        llvm::Value* by = ir.CreateAnd(ir.CreateSub(number(1), p.exponent), number(bits_ - 1));
        llvm::Value* subnormal = ir.CreateLShr(p.significand, by);
        return ir.CreateSelect(ir.CreateICmpSGT(p.exponent, number(0)), normal, subnormal);
    }

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    llvm::Value *x_, *y_;
    llvm::Type* type_;
    llvm::Type* word_;
    unsigned bits_, fraction_;
};

}  // namespace

llvm::Value* emit_remainder(emit::Code& code, llvm::Value* x, llvm::Value* y) {
    llvm::IRBuilder<>& ir = code.ir;
    if (!x->getType()->isHalfTy()) return Remainder(code, x, y).emit();
    llvm::Value *wide_y = ir.CreateFPExt(y, ir.getFloatTy()), *wide_x = ir.CreateFPExt(x, ir.getFloatTy());
    return ir.CreateFPTrunc(Remainder(code, wide_x, wide_y).emit(), ir.getHalfTy());
}

}  // namespace sinter::gpu
