// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arithmetic that keeps an index affine in the lane and is done on scalars; and operations that are cheaper on an affine
/// value than on any other.
#pragma once

#include "jit/emit/body/scope.hpp"

#include <optional>

namespace sinter::emit {

/// a + b or a - b, where neither is varying and one is affine.
Value affine_sum(Code& code, const Value& a, const Value& b, bool subtract = false);

class Affine {
  public:
    explicit Affine(Code& code) : code_(code), ir(code.ir) {}
    /// The result if the instruction has a cheaper form for an affine operand; its bound is not set.
    std::optional<Value> emit(const Inst& inst, const Operands& operands);

  private:
    std::optional<Value> product(const Value& a, const Value& b);
    std::optional<Value> cast(const Inst& inst, const Value& x);
    std::optional<Value> division(const Inst& inst, const Value& a, const Value& b);
    std::optional<Value> comparison(ir::Op op, const Value& a, const Value& b);
    std::optional<Value> inside(const Value& index, const Value& extent);

    Code& code_;
    llvm::IRBuilder<>& ir;
};

}  // namespace sinter::emit
