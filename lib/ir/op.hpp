// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Properties of scalar operations, read from the one table include/sinter/detail/ops.def.
#pragma once

#include "support/shared.hpp"

#include <sinter/detail/op.hpp>
#include <sinter/detail/scalar.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sinter::ir {

using detail::Op;
using detail::Scalar;

enum class Domain : std::uint8_t { number, integer, floating, bits, any };
enum class ResultRule : std::uint8_t { same, boolean, select, cast, bit_cast, index, own };
enum class Traits : std::uint8_t { pure, may_fail, math, comparison, control, memory, effect, loop };

struct OpInfo {
    std::string_view name;
    int arity;  ///< -1: any number of operands
    Domain domain;
    ResultRule result;
    Traits traits;
};

/// One row an operation, in the order of Op.
inline constexpr OpInfo op_table[] = {
#define SINTER_OP(name, arity, domain, result, traits) {#name, arity, Domain::domain, ResultRule::result, Traits::traits},
#include <sinter/detail/ops.def>
};

constexpr const OpInfo& info(Op op) { return op_table[static_cast<std::size_t>(op)]; }
std::optional<Op> find_op(std::string_view name);

/// True if it may be executed speculatively: it has no side effect and cannot fail.
SINTER_SHARED bool is_pure(Op op);
/// The same for operands of type s: a floating-point division is pure, an integer division is not.
bool is_pure(Op op, Scalar s);
/// True for an order or equality of two operands: equal, less, ...
constexpr bool is_comparison(Op op) { return info(op).traits == Traits::comparison; }
/// True if it is executed for what it writes: store, update, and all loops but reduce, which has a result.
SINTER_SHARED bool has_effect(Op op);
/// True if it maps an index beyond the ends of an axis to one inside, according to how the array is continued: wrap,
/// symmetric, reflect.
SINTER_SHARED bool is_continuation(Op op);
/// True if it is commutative and has arity 2 (add, mul, minimum, bit_and, equal, ...).
bool is_commutative(Op op);
/// True if it can fail for operands of type s: by integer division by zero, an index out of range, ...
bool may_fail(Op op, Scalar s);

/// Checks operand types against the table and returns the result type; nothing if they do not fit.
/// `own` is the instruction's stated type, used by cast, bit_cast and `own` rules.
std::optional<Scalar> result_type(Op op, std::span<const Scalar> operands, Scalar own);

}  // namespace sinter::ir
