// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates read, combine and write: one point after another, lanes in turn or combined first, or the lanes' own elements.
#pragma once

#include "jit/emit/body/blocks.hpp"
#include "jit/emit/memory/memory.hpp"

namespace sinter::emit {

class Combiner;

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
    /// To be called where the kernel ends: updates what lanes have kept until then.
    void finish() { finish_from(0); }
    /// Emits a loop of whose points all update the same elements: what lanes keep waits until its end at most.
    void with_waiting(llvm::function_ref<void()> loop);

  private:
    /// What the lanes have of an element that all of them update, and that is the same all the time: one value each, in
    /// memory of the function's own, which is combined when the function ends.
    struct Kept {
        const Inst* inst;
        std::size_t level;  ///< of the operator
        int width;
        Few memory;
        llvm::Value* offset;  ///< in memory of the function's own, too
    };
    /// Updates what has been kept since there were `first` entries, and forgets it.
    void finish_from(std::size_t first);
    Few neutral_vectors(Combiner& op) const;
    Kept& kept(const Inst& inst, Combiner& op);
    void across_lanes(const Inst& inst, Combiner& op, Values all, llvm::Value* offset);
    static Inst fold_of(const Inst& inst, const std::vector<Scalar>& types);
    void elements(const Inst& inst, const Few& offsets, const Values& right);
    bool is_shared(const Inst& inst) const;
    void shared(const Inst& inst);
    void in_turn(const Inst& inst);
    void neighbours(const Inst& inst);
    /// Lanes in memory, possibly narrower than the numbers that they stand for.
    struct Stored {
        llvm::Value* memory;
        llvm::Type* element;
    };
    Stored in_memory(const Value& value);
    Stored offsets_in_memory(const Value& offsets);
    Value or_spare(std::size_t buffer, const Value& offset);

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Memory& memory_;
    Addresses& addresses_;
    std::vector<Kept> kept_;
    bool waiting_ = false;
};

}  // namespace sinter::emit
