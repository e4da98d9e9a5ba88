// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arithmetic on derivatives of scalars. Terms known to be zero are left out, so that they cost nothing.
#pragma once

#include "ir/builder.hpp"

#include <optional>

namespace sinter::ir::derivative {

/// A tangent or adjoint; nothing if it is zero.
using Term = std::optional<Local>;

/// Writes instructions into the innermost open block; the operands of each are of one floating-point type.
class Terms {
  public:
    explicit Terms(BlockBuilder& to) : to_(to) {}

    BlockBuilder& to() { return to_; }
    Scalar type(Local local) const { return to_.type(local); }

    /// The number, rounded to the type.
    Local number(Scalar type, double value);
    Local zero(Scalar type) { return number(type, 0); }
    Local or_zero(const Term& term, Scalar type) { return term ? *term : zero(type); }
    /// The number in the type of `like`.
    Local number_like(Local like, double value) { return number(type(like), value); }

    Local add(Local a, Local b) { return to_.emit(Op::add, {a, b}); }
    Local sub(Local a, Local b) { return to_.emit(Op::sub, {a, b}); }
    Local mul(Local a, Local b) { return to_.emit(Op::mul, {a, b}); }
    Local div(Local a, Local b) { return to_.emit(Op::div, {a, b}); }
    Local negate(Local a) { return to_.emit(Op::negate, {a}); }
    Local apply(Op op, Local a) { return to_.emit(op, {a}); }
    Local apply(Op op, Local a, Local b) { return to_.emit(op, {a, b}); }
    Local select(Local condition, Local then, Local otherwise) { return to_.emit(Op::select, {condition, then, otherwise}); }
    Local reciprocal(Local a) { return div(number_like(a, 1), a); }
    Local square(Local a) { return mul(a, a); }

    /// a + b, where either may be zero.
    Term plus(const Term& a, const Term& b) {
        if (!a || !b) return a ? a : b;
        return add(*a, *b);
    }

  private:
    BlockBuilder& to_;
};

}  // namespace sinter::ir::derivative
