// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pure instructions: index arithmetic on scalars (affine.hpp), divisions in shorter forms (division.hpp), and everything
/// else lane by lane. The possible magnitude of i64 values is tracked, because small ones are cheaper to convert and to
/// divide.
#pragma once

#include "jit/emit/body/affine.hpp"

namespace sinter::emit {

class Arithmetic {
  public:
    explicit Arithmetic(Code& code) : code_(code), affine_(code) {}

    Value constant(const Inst& inst);
    Value pure(const Inst& inst, const Operands& operands);
    /// The result if the instruction has a cheaper form for an affine operand.
    std::optional<Value> of_index(const Inst& inst, const Operands& operands);

  private:
    Code& code_;
    Affine affine_;
};

}  // namespace sinter::emit
