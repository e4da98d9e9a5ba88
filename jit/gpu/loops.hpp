// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a kernel that the card executes its own way: loops that a team shares, checks, and effects outside of
/// such loops, which one thread has.
#pragma once

#include "jit/emit/emitter.hpp"
#include "jit/emit/reduce.hpp"
#include "jit/gpu/kernel.hpp"
#include "jit/gpu/operator.hpp"
#include "jit/gpu/team.hpp"

namespace sinter::gpu {

using emit::Value;
using emit::Values;
using lower::Inst;

/// The part of a chunked loop that a kernel executes.
struct Chunk {
    const Inst* loop = nullptr;  ///< null: nothing is chunked
    Role role = Role::whole;
    llvm::Value *index = nullptr, *length = nullptr, *count = nullptr, *points = nullptr;
    std::vector<llvm::Value*> partials, befores;  ///< arrays [chunk][point]; befores one chunk longer
    llvm::BasicBlock* done = nullptr;             ///< where to go when the kernel has no more to do for its point
};

class Loops : public emit::Special {
  public:
    Loops(emit::Code& code, emit::Emitter& emitter, const lower::Kernel& kernel, llvm::Value* failure);

    Team* team = nullptr;  ///< null: a thread has a point to itself
    llvm::Value* point = nullptr;
    Chunk chunk;

    std::optional<Values> emit(const Inst& inst) override;

  private:
    /// Indices [lo, hi) of a loop's elements, in row-major order.
    struct Range {
        llvm::Value *lo, *hi;
    };
    using Body = llvm::function_ref<void(llvm::Value* index)>;
    using Element = llvm::function_ref<Values(llvm::Value* index)>;

    /// Which elements a thread combines.
    enum class Order : std::uint8_t { by_elements, by_groups, kept };
    static constexpr std::int64_t group_elements = 4;  ///< neighbours that a thread takes at once

    // loops.cpp
    static bool is_straight(const lower::Block& block);
    bool is_shared(const Inst& inst) const;
    void strided(Range range, bool grouped, Few& carried, Body body);
    void consecutive(Range range, Few& carried, Body body);
    /// body(index) for all threads at once, of each thread's first of `each` elements; it may lie outside.
    void in_step(Range range, std::int64_t each, Few& carried, Body body);
    Range all_elements(const Inst& inst, std::size_t rank);
    Range elements(const Inst& inst, std::size_t rank);
    Values execute(const lower::Block& block, const Values& indices, llvm::Value* flat);
    Values element(const Inst& inst, std::size_t rank, llvm::Value* flat);
    void by_first(llvm::function_ref<void()> effect);
    Values reduce(const Inst& inst);
    Few accumulate(Operator& op, Range range, Order order, Element element);
    void for_each(const Inst& inst);

    // chunk.cpp
    bool is_chunked(const Inst& inst, Role role) const { return chunk.loop == &inst && chunk.role == role; }
    Range chunks() { return {c_.i64(0), chunk.count}; }
    void leave_point();
    llvm::Value* state(const std::vector<llvm::Value*>& arrays, std::size_t k, llvm::Value* at);
    Values load_states(const std::vector<llvm::Value*>& arrays, llvm::Value* at);
    void store_states(const std::vector<llvm::Value*>& arrays, llvm::Value* at, const Values& values);

    // scan.cpp
    Values scan(const Inst& inst);
    Values part_of_scan(const Inst& inst, Operator& op);
    Few scan_range(const Inst& inst, Operator& op, Range range, Few before);
    void show(const Inst& inst, llvm::Value* i, const Values& prefix, llvm::Value* inside);
    void chain(Operator& op, const Few& before);

    // compact.cpp
    Values compact(const Inst& inst);
    llvm::Value* is_inside(llvm::Value* index, Range range) { return ir.CreateICmpSLT(index, range.hi); }
    llvm::Value* compact_range(const Inst& inst, Range range, llvm::Value* place, bool writes);
    void move(const Inst& inst, const Few& values, llvm::Value* at);
    Few kept(const Inst& inst, llvm::Value* index, llvm::Value* inside);
    void chain_counts();

    // effects.cpp
    Value check_index(const Inst& inst);
    Value check_divisor(const Inst& inst);
    void report(const Inst& inst, llvm::Value* bad, llvm::Value* index, llvm::Value* extent);
    void store(const Inst& inst);
    std::optional<Values> remainder(const Inst& inst);

    // update.cpp
    void update(const Inst& inst);
    void update_element(const Inst& inst);

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    emit::Emitter& e_;
    const lower::Kernel& kernel_;
    llvm::Value* failure_;
    llvm::Value* element_ = nullptr;  ///< of the shared loop that is being emitted; null: outside of one
};

}  // namespace sinter::gpu
