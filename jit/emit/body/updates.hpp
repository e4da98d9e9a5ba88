// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates read, combine and write: one point after another, lanes in turn or combined first, or the lanes' own elements.
#pragma once

#include "jit/emit/body/blocks.hpp"
#include "jit/emit/memory/memory.hpp"

namespace sinter::emit {

class Updates {
  public:
    Updates(Blocks& blocks, Memory& memory, Addresses& addresses)
        : blocks_(blocks),
          scope_(blocks.scope),
          code_(blocks.code),
          ir(blocks.code.ir),
          memory_(memory),
          addresses_(addresses) {}

    void emit(const Inst& inst);

  private:
    void elements(const Inst& inst, const Few& offsets, const Values& right);
    bool is_shared(const Inst& inst) const;
    void shared(const Inst& inst);
    void in_turn(const Inst& inst);
    void neighbours(const Inst& inst);
    llvm::Value* in_memory(const Value& value);
    Value or_spare(std::size_t buffer, const Value& offset);

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Memory& memory_;
    Addresses& addresses_;
};

}  // namespace sinter::emit
