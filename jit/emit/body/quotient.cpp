// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides many numbers by one without dividing: with z = 1 / y rounded, q = x z, and r = x - q y exactly, q + r z rounds to
// x / y (Brisebarre, Muller and Raina, Accelerating correctly rounded floating-point division when the divisor is known in
// advance, 2004: one multiplication and two fused multiply-adds). This holds where nothing overflows or is subnormal:
// neither the quotient, nor 1 / y, nor the remainder, whose last bit is twice as many bits below x as x has. A vector with a
// number outside those bounds is divided. 0 / y is q itself, which has the sign that q + r z loses.
#include "jit/emit/body/division.hpp"

#include <llvm/ADT/APFloat.h>

#include <cmath>

namespace sinter::emit {

using ir::Op;

namespace {

/// Exponents: the least that y and x may have (for y also the greatest), and the least and greatest of quotients.
struct Bounds {
    int least, quotient, greatest;
};
constexpr Bounds bounds_f32{-100, 124, 127}, bounds_f64{-900, 1020, 1023};

class Quotient {
  public:
    Quotient(Code& code, Scalar type, llvm::Value* y) : c_(code), ir(code.ir), type_(code.type(type)), y_(y) {
        bounds_ = type == Scalar::f32 ? bounds_f32 : bounds_f64;
        inverse_ = once([&] { return ir.CreateFDiv(number(1), y_); });
        valid_ = once([&] {
            llvm::Value* size = magnitude();
            return ir.CreateAnd(ir.CreateFCmpOGE(size, power(bounds_.least)), ir.CreateFCmpOLE(size, power(-bounds_.least)));
        });
        llvm::Value *least = bound(true), *greatest = bound(false);
        first_ = once([&] { return bits(least); });
        span_ = once([&] { return ir.CreateSub(bits(greatest), bits(least)); });
    }

    Few operator()(const Few& x) {
        Few zeros;
        llvm::Value* all = nullptr;
        for (llvm::Value* part : x) {
            llvm::Value* size = ir.CreateAnd(bits(part), ~sign());
            zeros.push_back(ir.CreateICmpEQ(size, llvm::Constant::getNullValue(size->getType())));
            llvm::Value* within = ir.CreateICmpULE(ir.CreateSub(size, splat(first_)), splat(span_));
            llvm::Value* good = ir.CreateOr(within, zeros.back());
            all = all ? ir.CreateAnd(all, good) : good;
        }
        return c_.either(
            ir.CreateAnd(valid_, ir.CreateAndReduce(all)), [&] { return corrected(x, zeros); },
            [&] {
                Few quotients;
                for (llvm::Value* part : x) quotients.push_back(ir.CreateFDiv(part, splat(y_)));
                return quotients;
            });
    }

  private:
    Few corrected(const Few& x, const Few& zeros) {
        Few quotients;
        for (std::size_t p = 0; p < x.size(); ++p) {
            llvm::Value *z = splat(inverse_), *q = ir.CreateFMul(x[p], z);
            llvm::Value* r = fma(ir.CreateFNeg(q), splat(y_), x[p]);
            quotients.push_back(ir.CreateSelect(zeros[p], q, fma(r, z, q)));
        }
        return quotients;
    }

    llvm::Value* once(llvm::function_ref<llvm::Value*()> make) { return c_.pure({y_}, make); }
    llvm::Value* splat(llvm::Value* scalar) { return c_.splat(scalar); }
    llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
        return ir.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
    }
    llvm::Value* magnitude() { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, y_); }
    llvm::Constant* number(double value) { return llvm::ConstantFP::get(type_, value); }
    llvm::Constant* power(int exponent) { return number(std::ldexp(1.0, exponent)); }
    std::uint64_t sign() const { return std::uint64_t{1} << (type_->getScalarSizeInBits() - 1); }
    llvm::Value* bits(llvm::Value* v) {
        llvm::Type* integer = ir.getIntNTy(type_->getScalarSizeInBits());
        return ir.CreateBitCast(v, v->getType()->getWithNewType(integer));
    }

    /// The least x whose quotient is normal and whose remainder is exact, or the greatest whose quotient is finite.
    llvm::Value* bound(bool least) {
        return once([&] {
            llvm::Value* of_quotient = ir.CreateFMul(magnitude(), power(least ? -bounds_.quotient : bounds_.quotient));
            llvm::Value* of_x = power(least ? bounds_.least : bounds_.greatest);
            llvm::Value* quotient_decides =
                least ? ir.CreateFCmpOGT(of_quotient, of_x) : ir.CreateFCmpOLT(of_quotient, of_x);
            return ir.CreateSelect(quotient_decides, of_quotient, of_x);
        });
    }

    Code& c_;
    llvm::IRBuilder<>& ir;
    llvm::Type* type_;
    llvm::Value* y_;
    Bounds bounds_;
    llvm::Value *inverse_, *valid_, *first_, *span_;
};

/// True if dividing by it is the same as multiplying.
bool is_power_of_two(llvm::Value* y) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(y);
    return constant && constant->getValueAPF().getExactInverse(nullptr);
}

}  // namespace

std::optional<Value> quotient(Code& code, const Inst& inst, const Operands& operands) {
    const Scalar type = inst.type();
    if (inst.op != Op::div || (type != Scalar::f32 && type != Scalar::f64)) return std::nullopt;
    const Value &x = *operands[0], &y = *operands[1];
    if (!code.machine.mask_registers || !code.lanes.vector() || !x.is_varying() || !y.is_uniform()) return std::nullopt;
    if (is_power_of_two(y.scalars[0])) return std::nullopt;
    return Value::varying(type, Quotient(code, type, y.scalars[0])(x.parts));
}

}  // namespace sinter::emit
