// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks of indices, divisors and expectations. A failed check ends the tile, because the launch is then an error.
#pragma once

#include "jit/emit/body/scope.hpp"
#include "jit/emit/memory/addresses.hpp"

namespace sinter::emit {

class Checks {
  public:
    Checks(Code& code, Fields& fields, const Addresses& addresses)
        : code_(code), ir(code.ir), fields_(fields), addresses_(addresses) {}

    /// The index, which after the check is in [0, extent).
    Value index(const Inst& inst, const Value& index, const Value& extent);
    /// The divisor, which after the check is not 0.
    Value divisor(const Inst& inst, const Value& divisor);
    /// True: where the expectation does not hold, the tile has ended. Operands: the condition, and one or two numbers.
    Value expectation(const Inst& inst, const Operands& operands);

  private:
    /// True if columns continue where lanes end, with the same stride.
    bool in_line(const Value& index) const;
    /// Tests every lane.
    void check_lanes(const Inst& inst, const Value& index, const Value& extent);
    llvm::Value* suspicious(const Value& index, llvm::Value* extent);
    void fail_if(llvm::Value* bad, llvm::function_ref<void()> report);
    void report(const Inst& inst, llvm::Value* first, llvm::Value* stride, llvm::Value* count, llvm::Value* extent);
    void report_lanes(const Inst& inst, llvm::ArrayRef<llvm::Value*> bad, const Value* index, const Value* extent);

    Code& code_;
    llvm::IRBuilder<>& ir;
    Fields& fields_;
    const Addresses& addresses_;
};

}  // namespace sinter::emit
