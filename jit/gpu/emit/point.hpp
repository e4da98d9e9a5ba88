// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The point whose instructions are being emitted: what everything that emits a part of it needs. Refers to what it is made
/// from.
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
    const Inst* loop = nullptr;  ///< null if nothing is chunked
    Role role = Role::whole;
    llvm::Value *index = nullptr, *length = nullptr, *count = nullptr, *points = nullptr;
    std::vector<llvm::Value*> arrays;  ///< for a reduce: results, [chunk][point]; otherwise words, followed by values that
                                       ///< do not fit in them

    bool is_of(const Inst& inst) const { return loop == &inst; }
    bool is_of(const Inst& inst, Role of) const { return loop == &inst && role == of; }
};

/// What a launch executes of the outermost axis, or of the chunks; null if it executes all.
struct Part {
    llvm::Value *first = nullptr, *extent = nullptr;
};

struct Point {
    emit::Code& code;
    Builtins& builtins;
    emit::Emitter& emitter;
    const lower::Kernel& kernel;
    const card::Schedule& schedule;
    llvm::Value* failure;  ///< where a failed check is recorded

    Team* team = nullptr;              ///< null if each thread has a point to itself
    llvm::Value* number = nullptr;     ///< number of the point
    llvm::Value* element = nullptr;    ///< number of the element in the loop that a team shares; null outside such loops
    llvm::BasicBlock* done = nullptr;  ///< where to go when the kernel has nothing more to do for its point
    Chunk chunk = {};
    Part part = {};

    llvm::IRBuilder<>& ir() const { return code.ir; }
    /// True if a launch executes some of the indices of this axis only.
    bool is_cut(std::size_t axis) const { return part.first && !chunk.loop && axis == 0; }
    const card::SharedLoop& shared(const Inst& loop) const { return *schedule.find(loop); }
    /// True outside shared loops, where all threads of a team have the same values.
    bool is_same_in_team() const { return team && !element; }

    /// Lets one thread of the team execute `effect`.
    void by_first(llvm::function_ref<void()> effect) const {
        Few none;
        code.when(team->is_first(), none, effect);
    }
    /// Says that the kernel has nothing more to do for this point; code emitted after this is never reached.
    void leave() const {
        code.ir.CreateBr(done);
        code.enter(code.block());
    }
    /// Lets only the block with the last chunk continue.
    void leave_unless_last() const {
        llvm::BasicBlock* on = code.block();
        llvm::Value* is_last = code.ir.CreateICmpEQ(code.ir.CreateAdd(chunk.index, code.i64(1)), chunk.count);
        code.ir.CreateCondBr(is_last, on, done);
        code.enter(on);
    }
};

}  // namespace sinter::gpu
