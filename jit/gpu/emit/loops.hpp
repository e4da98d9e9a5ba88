// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a kernel that the card executes its own way: loops that a team shares, checks, and effects outside of
/// such loops, which one thread has.
#pragma once

#include "jit/emit/body/emitter.hpp"
#include "jit/emit/loop/reduce.hpp"
#include "jit/gpu/emit/kernel.hpp"
#include "jit/gpu/emit/lookback.hpp"
#include "jit/gpu/emit/operator.hpp"

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
    llvm::BasicBlock* done = nullptr;  ///< where to go when the kernel has no more to do for its point
};

class Bins;
class Notes;

class Loops : public emit::Special {
  public:
    Loops(emit::Code& code, Builtins& builtins, emit::Emitter& emitter, const lower::Kernel& kernel,
          const card::Schedule& schedule, llvm::Value* failure);

    Team* team = nullptr;  ///< null: a thread has a point to itself
    llvm::Value* point = nullptr;
    Chunk chunk;
    Bins* bins = nullptr;    ///< what takes the kernel's update, if any
    Notes* notes = nullptr;  ///< likewise

    std::optional<Values> emit(const Inst& inst) override;

  private:
    /// Indices [lo, hi) of a loop's elements, in row-major order.
    struct Range {
        llvm::Value *lo, *hi;
    };
    using Body = llvm::function_ref<void(llvm::Value* index)>;
    using Element = llvm::function_ref<Values(llvm::Value* index)>;

    // loops.cpp
    bool is_shared(const Inst& inst) const { return team && !element_ && schedule_.find(inst); }
    card::Order order_of(const Inst& inst) const { return schedule_.find(inst)->order; }
    void strided(Range range, bool grouped, Few& carried, Body body);
    void consecutive(Range range, Few& carried, Body body);
    Range all_elements(const Inst& inst, std::size_t rank);
    Range elements(const Inst& inst, std::size_t rank);
    Values execute(const lower::Block& block, const Values& indices, llvm::Value* flat);
    Values element(const Inst& inst, std::size_t rank, llvm::Value* flat);
    void by_first(llvm::function_ref<void()> effect);
    Values reduce(const Inst& inst);
    Few accumulate(Operator& op, Range range, card::Order order, Element element);
    void for_each(const Inst& inst);

    // chunk.cpp
    bool is_chunked(const Inst& inst, Role role) const { return chunk.loop == &inst && chunk.role == role; }
    Range chunks() { return {c_.i64(0), chunk.count}; }
    void leave_point();
    void leave_unless_last();
    llvm::Value* partial(std::size_t k, llvm::Value* at);
    Values load_partials(llvm::Value* at);
    void store_partials(llvm::Value* at, const Values& values);
    Few look_back(const Few& own, const Few& absent, Team::Merge merge);

    // tile.cpp
    struct Tile {
        card::TileShape shape;
        llvm::Value* begin;
        Range range;  ///< what is meant to be in the tile; it may end before the tile does
    };
    /// What one tile does, given what comes before it; returns what comes before the next.
    using TileStep = llvm::function_ref<Few(const Tile& tile, const Few& before)>;
    using Before = llvm::function_ref<Few(const Few& total)>;  ///< what comes before a tile, given what it has
    card::TileShape shape_of(const Inst& inst) const { return schedule_.find(inst)->tile; }
    Few each_tile(const Inst& inst, Few before, TileStep step);
    llvm::Value* place_in(const Tile& tile, std::int64_t row, std::int64_t k);
    llvm::Value* is_inside(const Tile& tile, llvm::Value* index) { return ir.CreateICmpSLT(index, tile.range.hi); }
    llvm::Value* is_full(const Tile& tile);
    std::vector<Few> tile_values(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent);
    void tile_effects(const Tile& tile, llvm::function_ref<void(llvm::Value* index, std::size_t k)> effect);

    // scan.cpp
    Values scan(const Inst& inst);
    Few scan_tile(const Inst& inst, Operator& op, const Tile& tile, Before before);
    void show(const Inst& inst, llvm::Value* i, const Values& prefix);

    // compact.cpp
    Values compact(const Inst& inst);
    Few compact_tile(const Inst& inst, const Tile& tile, Before before);
    void move(const Inst& inst, const Few& values, llvm::Value* at);
    Few kept(const Inst& inst, llvm::Value* index);
    Few dropped(const Inst& inst);

    // effects.cpp
    Value check_index(const Inst& inst);
    Value check_divisor(const Inst& inst);
    void report(const Inst& inst, llvm::Value* bad, llvm::Value* index, llvm::Value* extent);
    void store(const Inst& inst);
    std::optional<Values> remainder(const Inst& inst);

    // update.cpp
    void update(const Inst& inst);
    void update_element(const Inst& inst);
    std::pair<llvm::Value*, llvm::Value*> containing_word(llvm::Value* pointer);

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    Builtins& builtins_;
    emit::Emitter& e_;
    const lower::Kernel& kernel_;
    const card::Schedule& schedule_;
    llvm::Value* failure_;
    llvm::Value* element_ = nullptr;  ///< of the shared loop that is being emitted; null: outside of one
};

}  // namespace sinter::gpu
