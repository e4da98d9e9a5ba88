// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scalar operations of ops.def as LLVM instructions, on scalars and vectors alike.
#pragma once

#include "ir/function.hpp"
#include "schedule/machine.hpp"

#include <llvm/IR/IRBuilder.h>

namespace sinter::emit {

using schedule::Machine;

struct ScalarOp {
    ir::Op op;
    ir::Scalar result;
    ir::Scalar operand;     ///< type of the last operand
    bool small = false;     ///< all i64 operands are below 2^50 in magnitude
    bool contract = false;  ///< for a product: it may stay exact until it is added; for a sum: it may add such a product
};

/// The result of a pure operation (or of a division with any divisor: it does not trap, and has an arbitrary result for 0).
/// No operation makes poison: lanes that are not active may hold anything.
llvm::Value* emit_scalar(llvm::IRBuilder<>& ir, const Machine& machine, const ScalarOp& op,
                         llvm::ArrayRef<llvm::Value*> args);

/// A constant of a scalar type, given its bit pattern.
llvm::Constant* emit_constant(llvm::IRBuilder<>& ir, llvm::Type* type, std::uint64_t bits);

}  // namespace sinter::emit
