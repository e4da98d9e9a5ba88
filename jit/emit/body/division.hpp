// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Divisions in shorter forms than the machine's own instructions; nothing where there are none.
#pragma once

#include "jit/emit/body/scope.hpp"
#include "jit/emit/code/scalar_ops.hpp"

#include <optional>

namespace sinter::emit {

/// Divides many floating-point numbers by one (quotient.cpp). Nothing if the division of a vector takes little longer than
/// what replaces it.
std::optional<Value> quotient(Code& code, const Inst& inst, const Operands& operands);

/// Divides vectors of 64-bit integers (long_division.cpp).
std::optional<Value> long_division(Code& code, const ScalarOp& op, const Operands& operands);

}  // namespace sinter::emit
