// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The element types that a scalar operation accepts, read from ops.def at compile time.
#pragma once

#include <sinter/detail/op.hpp>
#include <sinter/detail/scalar.hpp>

namespace sinter::detail {

enum class OpDomain : std::uint8_t { number, integer, floating, bits, any };

inline constexpr OpDomain op_domains[] = {
#define SINTER_OP(name, arity, domain, result, traits) OpDomain::domain,
#include <sinter/detail/ops.def>
};

/// True if operands of type `s` are allowed.
constexpr bool accepts(Op op, Scalar s) {
    switch (op_domains[static_cast<int>(op)]) {
        case OpDomain::number:
            return !is_boolean(s);
        case OpDomain::integer:
            return is_integer(s);
        case OpDomain::floating:
            return is_float(s);
        case OpDomain::bits:
            return !is_float(s);
        case OpDomain::any:
            return true;
    }
    return false;
}

/// True if the result is a boolean whatever the operands are.
constexpr bool is_comparison(Op op) { return op >= Op::equal && op <= Op::greater_equal; }

}  // namespace sinter::detail
