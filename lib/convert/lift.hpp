// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Literals for which programs should not be compiled separately: `2.37f * x` and `2.38f * x` are one program with one more
/// input.
#pragma once

#include "ir/function.hpp"

#include <cstdint>
#include <vector>

namespace sinter::convert {

struct LiteralValue {
    ir::Scalar scalar;
    std::uint64_t bits;
    bool operator==(const LiteralValue&) const = default;
};

/// True for floats except 0, ±1, ±2, ±0.5, infinities and NaN, and for integers of magnitude above 16.
bool is_lifted(LiteralValue literal);

/// True if a constant of `fn` may be lifted: a cheap test before lift(), which may still find none.
bool has_lifted_literals(const ir::Fn& fn);

/// `fn` with its lifted literals as additional parameters, after the others; equal literals share one.
struct LiftedFn {
    ir::Fn fn;
    std::vector<LiteralValue> literals;
};

/// Lifts the literals of `fn`, in order of occurrence, including those in nested blocks. An integer that occurs as the right
/// operand of div, rem or a shift stays, because code for constant divisors is better. If there are no literals to lift, or
/// more than 32 (coefficients rather than settings that change), the result is `fn` itself.
LiftedFn lift(const ir::Fn& fn);

}  // namespace sinter::convert
