// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Literals that programs should not be compiled for: `2.37f * x` and `2.38f * x` are one program with one more input.
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

/// Floats except 0, ±1, ±2, ±0.5, infinities and NaN; integers of magnitude above 16.
bool is_lifted(LiteralValue literal);

/// Whether a constant of `fn` may be lifted; a cheap test before lift(), which may still find that none is.
bool has_lifted_literals(const ir::Fn& fn);

/// `fn` with its lifted literals as further parameters, the last ones; equal literals share one.
struct LiftedFn {
    ir::Fn fn;
    std::vector<LiteralValue> literals;
};

/// Lifts the literals of `fn`, in order of occurrence, nested blocks included. An integer that is somewhere the right
/// operand of div, rem or a shift stays: code for constant divisors is better. Without literals to lift, or with more than
/// 32 (coefficients, not settings that change), `fn` as it is.
LiftedFn lift(const ir::Fn& fn);

}  // namespace sinter::convert
