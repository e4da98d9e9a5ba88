// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits blocks of instructions, one after another, into the lanes that are open. A derived class decides how an instruction
/// is emitted (emitter.hpp); whatever needs blocks emitted, such as a loop, refers to this class.
#pragma once

#include "jit/emit/body/scope.hpp"
#include "schedule/facts/control.hpp"

#include <llvm/ADT/DenseMap.h>

#include <optional>
#include <utility>
#include <vector>

namespace sinter::emit {

/// The results of a block's instructions that were emitted before its lane loop, because they do not depend on the lane.
using Prepared = std::vector<std::optional<Values>>;
/// What instructions do where no index of theirs reaches a border.
enum class Idle : std::uint8_t {
    keeps,   ///< return their affine operand; a check, its index
    first,   ///< return their first operand
    second,  ///< return their second one
    holds,   ///< are true in all lanes
    fails,   ///< are false in all lanes
};
using IdleInstructions = llvm::SmallDenseMap<const Inst*, Idle, 8>;

class Blocks {
  public:
    Blocks(Code& c, const lower::Kernel& k) : code(c), kernel(k) {}
    virtual ~Blocks() = default;
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    Code& code;
    const lower::Kernel& kernel;
    Scope scope;

    /// The results of a block with these parameters.
    Values block(const Block& b, const Values& params, const Prepared* prepared = nullptr) {
        return locals_of(b, params, b.results, prepared);
    }
    /// These locals, where a block with these parameters ends.
    Values locals_of(const Block& b, const Values& params, llvm::ArrayRef<ir::Local> locals,
                     const Prepared* prepared = nullptr);
    /// The results of one instruction.
    Values emit(const Inst& inst);
    /// The results of the instruction being emitted that are used.
    const std::vector<bool>& used() const { return used_; }
    /// What the schedule says of branches and loops; without it no lanes are ever open.
    void follow(const schedule::ControlFlow& control) { control_ = &control; }
    /// How the states or results of an instruction are in the lanes that are open.
    schedule::States states_of(const Inst& inst) const;
    /// What is done with a branch whose lanes do not go the same way.
    schedule::Control::Apart apart(const Inst& cond) const { return control_->at(&cond).apart; }

    const IdleInstructions& idle() const { return idle_; }

    /// While this lives, these instructions are known to do so, too.
    class WithIdle {
      public:
        WithIdle(Blocks& blocks, const IdleInstructions& idle) : blocks_(blocks), saved_(blocks.idle_) {
            blocks.idle_.insert(idle.begin(), idle.end());
        }
        ~WithIdle() { blocks_.idle_ = saved_; }
        WithIdle(const WithIdle&) = delete;
        WithIdle& operator=(const WithIdle&) = delete;

      private:
        Blocks& blocks_;
        IdleInstructions saved_;
    };

  private:
    virtual Values instruction(const Inst& inst) = 0;

    const schedule::ControlFlow* control_ = nullptr;
    IdleInstructions idle_;
    std::vector<bool> used_;
};

/// While this lives, lanes have several columns, and every value known before is the same in all of them.
class WithColumns {
  public:
    WithColumns(Blocks& blocks, int columns) : blocks_(blocks), saved_(blocks.scope) {
        blocks.code.lanes.columns = columns;
        blocks.scope.repeat_in_columns(blocks.code, columns);
    }
    ~WithColumns() {
        blocks_.code.lanes.columns = 1;
        blocks_.scope = std::move(saved_);
    }
    WithColumns(const WithColumns&) = delete;
    WithColumns& operator=(const WithColumns&) = delete;

  private:
    Blocks& blocks_;
    Scope saved_;
};

}  // namespace sinter::emit
