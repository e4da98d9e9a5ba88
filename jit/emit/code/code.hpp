// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes LLVM IR: blocks, loops, vectors, masks.
///
/// Pure instructions are placed where they are executed least often: in the preheader of the outermost open loop that
/// computes none of their operands. So loop-invariant code motion need not be run afterwards. Vectors of i1 are an exception
/// unless the machine has mask registers: they stay where they are used, because an i1 vector that lives across blocks is
/// widened to a type of the wrong lane width. What has to cross blocks is a *wide* mask, an integer vector of the lane
/// width.
#pragma once

#include "jit/emit/code/convert.hpp"
#include "jit/emit/code/value.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace sinter::emit {

using schedule::Machine;

class Code {
  public:
    Code(llvm::Function& function, const Machine& machine);

    llvm::IRBuilder<> ir;
    const Machine& machine;
    Lanes lanes;

    // Types
    llvm::Type* type(Scalar s) { return register_type(ir, s); }  ///< in a register: boolean is i1
    llvm::Type* memory_type(Scalar s);                           ///< in memory: boolean is i8
    llvm::Type* vector_of(llvm::Type* element) { return llvm::FixedVectorType::get(element, lanes.width); }
    llvm::Constant* i64(std::int64_t value) { return ir.getInt64(static_cast<std::uint64_t>(value)); }

    // Blocks and loops
    llvm::BasicBlock* block();
    void enter(llvm::BasicBlock* block) { ir.SetInsertPoint(block); }
    /// The block to which failed checks jump.
    llvm::BasicBlock* leave() { return leave_; }
    /// If `ordinary` is 0, orders non-temporal stores before what follows the function.
    void fence_on_leaving(llvm::Value* ordinary);
    /// for (i = lo; i < hi; i += step) body(i). `carried` are the loop's variables: before it, in the body, and after it.
    void loop(llvm::Value* lo, llvm::Value* hi, std::int64_t step, Few& carried,
              llvm::function_ref<void(llvm::Value*)> body);
    /// do body() while (its result). `carried` is as above.
    void loop_while(Few& carried, llvm::function_ref<llvm::Value*()> body);
    /// while (condition()) body(). `carried` is as above, and available in the condition, too.
    void loop_from_top(Few& carried, llvm::function_ref<llvm::Value*()> condition, llvm::function_ref<void()> body);
    /// if (condition) then(). `carried` are the variables that `then` may change.
    void when(llvm::Value* condition, Few& carried, llvm::function_ref<void()> then, bool likely = true);
    /// condition ? then() : otherwise(), both with the same number of values.
    Few either(llvm::Value* condition, llvm::function_ref<Few()> then, llvm::function_ref<Few()> otherwise);

    /// Memory that belongs to the function.
    llvm::Value* slot(llvm::Type* type, std::int64_t count = 1);
    /// The same, with this value from the function's beginning on.
    llvm::Value* slot_of(llvm::Constant* initial);

    // Pure instructions
    /// The result of make(), placed as far outside as its operands allow.
    llvm::Value* pure(llvm::ArrayRef<llvm::Value*> operands, llvm::function_ref<llvm::Value*()> make);
    /// Calls `make` for every scalar if no argument differs between lanes, else for every part.
    Value apply(Scalar result, llvm::ArrayRef<const Value*> args,
                llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> make);
    llvm::Value* add(llvm::Value* a, llvm::Value* b);
    llvm::Value* sub(llvm::Value* a, llvm::Value* b);
    llvm::Value* mul(llvm::Value* a, llvm::Value* b);

    // Lanes
    /// Part `p` as a vector.
    llvm::Value* vector(const Value& value, int p);
    /// Lane 0 of part `p` of a value that is not varying.
    llvm::Value* scalar(const Value& value, int p);
    Value make_varying(const Value& value);
    /// The index that is `first` in lane 0 and counts on through lanes and columns.
    Value lane_index(llvm::Value* first);
    llvm::Value* splat(llvm::Value* scalar);
    /// <0, 1, ..> * factor, of integer type.
    llvm::Constant* lane_numbers(llvm::Type* element, std::int64_t factor = 1);

    // Masks
    int lane_bits() const { return machine.vector_bits / lanes.width; }
    llvm::Type* wide_type();
    llvm::Value* wide(llvm::Value* narrow);
    llvm::Value* narrow(llvm::Value* wide);
    /// True if any lane of any of these narrow masks is set.
    llvm::Value* any(llvm::ArrayRef<llvm::Value*> masks);
    /// The active lanes of part `p` as a narrow mask; null if all are active.
    llvm::Value* mask(int p) { return lanes.masked() ? narrow(lanes.mask[static_cast<std::size_t>(p)]) : nullptr; }
    /// Values in the form in which they cross blocks: booleans are wide.
    Few to_phi(const Value& value);
    Value from_phi(Scalar type, llvm::ArrayRef<llvm::Value*> values, int bits = 64);

    /// The number of loops in which a value changes.
    int depth_of(llvm::Value* value) const;

  private:
    struct Loop {
        explicit Loop(llvm::BasicBlock* block) : preheader(block) {}
        llvm::BasicBlock* preheader;
        llvm::DenseMap<llvm::Value*, llvm::Value*> splats[7];  ///< by log2 of the width
    };
    llvm::SmallVector<llvm::PHINode*, 8> open_loop(Few& carried);
    void close_loop(llvm::ArrayRef<llvm::PHINode*> phis, const Few& next, llvm::BasicBlock* latch);
    llvm::BasicBlock* block_at(std::size_t depth);

    llvm::Function& function_;
    llvm::BasicBlock* leave_;
    bool fenced_ = false;
    std::vector<Loop> loops_;
    llvm::DenseMap<llvm::BasicBlock*, unsigned> depth_;
};

/// Changes the lanes while it lives.
class WithLanes {
  public:
    WithLanes(Code& code, Lanes lanes) : code_(code), saved_(std::exchange(code.lanes, std::move(lanes))) {}
    ~WithLanes() { code_.lanes = std::move(saved_); }
    WithLanes(const WithLanes&) = delete;
    WithLanes& operator=(const WithLanes&) = delete;

  private:
    Code& code_;
    Lanes saved_;
};

}  // namespace sinter::emit
