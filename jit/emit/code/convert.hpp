// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversions between scalar types.
#pragma once

#include "jit/emit/code/scalar_ops.hpp"

namespace sinter::emit {

llvm::Type* register_type(llvm::IRBuilder<>& ir, ir::Scalar type);

/// The operation `cast` of ops.def.
llvm::Value* emit_cast(llvm::IRBuilder<>& ir, const ScalarOp& op, llvm::Value* x);

/// Converts i64 lanes below 2^51 in magnitude to f64 exactly: three cheap instructions, where a conversion would be done
/// lane by lane.
llvm::Value* double_from_small(llvm::IRBuilder<>& ir, llvm::Value* x);

/// Converts integral f64 lanes below 2^51 in magnitude to an integer type of 32 or 64 bits, with wrap-around.
llvm::Value* integer_from_double(llvm::IRBuilder<>& ir, llvm::Value* x, llvm::Type* to);

}  // namespace sinter::emit
