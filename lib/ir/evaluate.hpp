// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each scalar operation computes, stated once on bit patterns: the interpreter executes it, the simplifier folds
/// constants with it, and generated code has to agree to the last bit (except that any NaN stands for any other).
///
/// A value is its bit pattern, zero-extended to 64 bits: an i8 of -1 is 0xff, a boolean 0 or 1.
#pragma once

#include "ir/op.hpp"

#include <cstdint>
#include <span>

namespace sinter::ir {

/// True if evaluate knows `op`: all operations that are neither math, structure, control, nor memory.
constexpr bool can_evaluate(Op op) {
    const OpInfo& of = info(op);
    const bool computes = of.result != ResultRule::own && of.result != ResultRule::index && op != Op::check_divisor;
    return computes && of.traits != Traits::math;
}

/// The result of `op` as ops.def defines it. `result` is the instruction's own type (used by cast and bit_cast); the types
/// have to fit (ir::result_type). Integer division by zero gives 0: the caller reports it.
std::uint64_t evaluate(Op op, Scalar result, std::span<const Scalar> operand_types, std::span<const std::uint64_t> operands);

/// The value of an integer (or boolean) pattern; u64 above INT64_MAX wraps.
std::int64_t to_int64(Scalar type, std::uint64_t bits);
/// The value of a floating-point pattern. The conversion is exact.
double to_double(Scalar type, std::uint64_t bits);
/// The pattern of `value` wrapped to the width of an integer type.
std::uint64_t from_int64(Scalar type, std::int64_t value);
/// The pattern of `value` rounded once to a floating-point type.
std::uint64_t from_double(Scalar type, double value);

}  // namespace sinter::ir
