// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The point whose instructions are being emitted: what all that emits a part of it needs. Refers to all it is made of.
#pragma once

#include "jit/emit/emitter.hpp"
#include "jit/gpu/emit/kernel.hpp"
#include "jit/gpu/emit/team/team.hpp"

namespace sinter::gpu {

using emit::Value;
using emit::Values;
using lower::Inst;

/// The part of a chunked loop that a kernel executes.
struct Chunk {
    const Inst* loop = nullptr;  ///< null: nothing is chunked
    Role role = Role::whole;
    llvm::Value *index = nullptr, *length = nullptr, *count = nullptr, *points = nullptr;
    std::vector<llvm::Value*> arrays;  ///< of a reduce: results [chunk][point]; else words, and what they have no room for

    bool is_of(const Inst& inst) const { return loop == &inst; }
    bool is_of(const Inst& inst, Role of) const { return loop == &inst && role == of; }
};

struct Point {
    emit::Code& code;
    Builtins& builtins;
    emit::Emitter& emitter;
    const lower::Kernel& kernel;
    const card::Schedule& schedule;
    llvm::Value* failure;  ///< where a failed check is recorded

    Team* team = nullptr;              ///< null: a thread has a point to itself
    llvm::Value* number = nullptr;     ///< of the point
    llvm::Value* element = nullptr;    ///< of the loop that a team shares; null: outside of one
    llvm::BasicBlock* done = nullptr;  ///< where to go when the kernel has no more to do for its point
    Chunk chunk = {};

    llvm::IRBuilder<>& ir() const { return code.ir; }
    const card::SharedLoop& shared(const Inst& loop) const { return *schedule.find(loop); }
    /// Outside of a shared loop all threads of a team have the same values.
    bool is_same_in_team() const { return team && !element; }

    /// `effect` by one thread of the team.
    void by_first(llvm::function_ref<void()> effect) const {
        Few none;
        code.when(team->is_first(), none, effect);
    }
    /// The kernel has no more to do for this point; what is emitted behind is never reached.
    void leave() const {
        code.ir.CreateBr(done);
        code.enter(code.block());
    }
    /// The block with the last chunk goes on.
    void leave_unless_last() const {
        llvm::BasicBlock* on = code.block();
        llvm::Value* is_last = code.ir.CreateICmpEQ(code.ir.CreateAdd(chunk.index, code.i64(1)), chunk.count);
        code.ir.CreateCondBr(is_last, on, done);
        code.enter(on);
    }
};

}  // namespace sinter::gpu
