// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a lane loop computes that does not depend on the lane is emitted before it. On the way, the indices of lane 0 are
/// tracked: whatever clamps, checks or compares them bounds the loop's interior.
#pragma once

#include "jit/emit/body/arithmetic.hpp"
#include "jit/emit/body/chunked.hpp"
#include "jit/emit/lanes/interior.hpp"
#include "schedule/facts/sides.hpp"

namespace sinter::emit {

class Invariants {
  public:
    Invariants(Blocks& blocks, Arithmetic& arithmetic, const Chunked& chunked)
        : blocks_(blocks),
          scope_(blocks.scope),
          code_(blocks.code),
          ir(blocks.code.ir),
          arithmetic_(arithmetic),
          chunked_(chunked) {}

    /// For a block whose last parameter is the index of the lane, possibly followed by `behind` others that are not known
    /// before the loop. If this code is executed, the loop is executed at least once. Narrows `interior`, if given.
    Prepared prepare(const Block& b, const Values& params, Interior* interior = nullptr, std::size_t behind = 0);
    /// What is known of comparisons.
    void follow(const schedule::Sides& sides) { sides_ = &sides; }

  private:
    std::optional<Value> at_lane_zero(const Inst& inst, Interior& interior);
    void narrow_for_steps(const Inst& loop, Interior& interior);
    IdleInstructions idle_in_step(const Block& body, const Values& counters, Interior& interior);
    void note_turn(const Inst& inst, std::size_t position, Interior& interior);
    void narrow(const Inst& inst, const Turn& turn, schedule::Side side, Interior& interior);
    std::optional<schedule::Side> side(const Inst& inst) const;
    bool is_known(const Inst& inst) const;

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Arithmetic& arithmetic_;
    const Chunked& chunked_;
    const schedule::Sides* sides_ = nullptr;
};

}  // namespace sinter::emit
