// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The derivatives of scalar operations, one by one.
#pragma once

#include "ir/derivative/terms.hpp"

#include <span>

namespace sinter::ir::derivative {

/// The derivative of an operation's result by one of its operands, as a factor.
struct Partial {
    enum class Kind : std::uint8_t {
        zero,
        one,
        minus_one,
        cast,       ///< one, between two floating-point types
        where,      ///< one where `factor`, a boolean, is true, else zero
        where_not,  ///< one where `factor` is false, else zero
        factor,     ///< the value `factor`
        wild,       ///< the value `factor`, which may be infinite or NaN where the result is finite: 0 times it is 0
    } kind = Kind::zero;
    Local factor;
};

/// The derivative with respect to operand `k` of a pure operation on floating-point numbers (not for reads and control
/// flow). In a tie the first operand of min and max is the one that counts; |x| has derivative 0 at 0.
Partial partial(Terms& terms, const Inst& inst, std::span<const Local> operands, Local result, std::size_t k);

/// Whether the result may be infinite or NaN although the operands are finite and not large.
bool may_be_infinite(Op op);

/// What a tangent of operand `k` contributes to the tangent of the result, which has type `result`.
Local pushed(Terms& terms, const Partial& partial, Local tangent, Scalar result);
/// What the adjoint of the result contributes to that of the operand, which has type `operand`.
Local pulled(Terms& terms, const Partial& partial, Local adjoint, Scalar operand);

}  // namespace sinter::ir::derivative
