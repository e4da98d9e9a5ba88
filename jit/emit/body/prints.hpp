// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// debug_print: one call of the host per active lane.
#pragma once

#include "jit/emit/body/scope.hpp"
#include "jit/emit/memory/fields.hpp"

namespace sinter::emit {

class Prints {
  public:
    Prints(Code& code, Fields& fields) : code_(code), ir(code.ir), fields_(fields) {}

    /// `operands`: the number of the element, followed by the values to be printed. The result is true.
    Value emit(const Inst& inst, const Operands& operands);

  private:
    void call(const Inst& inst, llvm::Value* memory, llvm::ArrayRef<llvm::Value*> values);

    Code& code_;
    llvm::IRBuilder<>& ir;
    Fields& fields_;
};

}  // namespace sinter::emit
