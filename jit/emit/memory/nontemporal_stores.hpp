// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores that bypass the caches. Where a whole register is stored to neighbours, the launch decides: outputs larger than
/// the caches bypass them, if they are aligned. Both kinds of stores are emitted, for all parts at once.
///
/// A load whose address has the same low bits as an earlier store waits for that store. If the store is half a line on its
/// way past the caches, the processor sends the half line. Therefore loops that store less than a line at a time bypass the
/// caches only where they read the elements that they write.
#pragma once

#include "jit/emit/memory/addresses.hpp"

namespace sinter::emit {

class NontemporalStores {
  public:
    NontemporalStores(Code& code, const lower::Kernel& kernel, Fields& fields, Addresses& addresses)
        : code_(code), ir(code.ir), kernel_(kernel), fields_(fields), addresses_(addresses) {}

    bool parts_of_lines = true;  ///< loops that store less than a line at a time may bypass the caches

    /// Returns true if the store is of this kind. Then both stores are emitted; `ordinarily` emits the one through the
    /// caches.
    bool store(const lower::Inst& inst, const Value& offset, const Few& parts, llvm::function_ref<void()> ordinarily);

  private:
    using Inst = lower::Inst;

    Code& code_;
    llvm::IRBuilder<>& ir;
    const lower::Kernel& kernel_;
    Fields& fields_;
    Addresses& addresses_;
};

}  // namespace sinter::emit
