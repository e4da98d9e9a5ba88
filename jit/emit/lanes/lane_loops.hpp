// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops: loops whose neighbouring iterations are executed in the lanes of vectors, as many at a time as the schedule
/// says.
///
/// Everything that does not depend on the lane goes before the loop (invariants.hpp). Then there are these ways:
///   pieces      a loop for its effects whose control flow changes at a few indices, such as that of concat: it runs from
///               turning point to turning point, and all lanes in between take the same side (pieces.hpp);
///   overlapping a loop for its effects with an interior, such as that of a stencil, that may execute an index twice: the
///               border is executed one by one, the interior in vectors, of which those at its ends overlap (borders.hpp);
///   in turn     a loop with an interior whose lanes follow each other, such as one that updates: as the next one, with the
///               vectors before, in and behind the interior in their order (borders.hpp);
///   interior    any other loop with an interior, such as a reduce: unrolled vectors in the interior, then before and after
///               it;
///   vectors     all other loops: unrolled vectors, whole vectors, and the rest under a mask or one by one (vectors.hpp). A
///               large body is emitted once, under a mask that covers everything (`covering`);
///   first       before all of these, vectors for constant indices, where the body compares the index with many constants;
///   one by one  where lanes do not pay: several points per iteration, so that the loop's own instructions matter less.
#pragma once

#include "jit/emit/lanes/borders.hpp"
#include "jit/emit/lanes/invariants.hpp"
#include "jit/emit/lanes/pieces.hpp"

namespace sinter::emit {

class LaneLoops {
  public:
    LaneLoops(Blocks& blocks, Arithmetic& arithmetic, Chunked& chunked)
        : blocks_(blocks),
          code_(blocks.code),
          ir(blocks.code.ir),
          invariants_(blocks, arithmetic, chunked),
          vectors_(blocks, chunked),
          borders_(blocks, vectors_),
          pieces_(blocks, vectors_) {}

    /// Sets how the loops of the kernel run that no lane loop surrounds; without this, they have no lanes. `sides`: of
    /// comparisons in the kernel's body.
    void schedule(const schedule::LoopLanes& lanes, const schedule::Sides& sides) {
        of_loops_ = &lanes;
        invariants_.follow(sides);
    }
    const schedule::Lanes& lanes_of(const Inst& loop) const;

    /// Executes the loop `lanes` wide. `use` may change the variables `carried`, which have one set of values through all
    /// stages; a loop that carries none may pass its borders in another way than under masks.
    void emit(const LaneLoop& loop, const Lanes& lanes, Few& carried, Use use,
              schedule::Borders borders = schedule::Borders::masked);
    /// Emits the loop for its effects.
    void for_effects(const LaneLoop& loop, const schedule::Lanes& lanes);

    Invariants& invariants() { return invariants_; }
    Borders& borders() { return borders_; }

  private:
    void with_lanes(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared,
                    Few& carried, Use use, schedule::Borders borders);
    void one_by_one(const LaneLoop& loop, std::int64_t together);

    Blocks& blocks_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    const schedule::LoopLanes* of_loops_ = nullptr;
    Invariants invariants_;
    Vectors vectors_;
    Borders borders_;
    Pieces pieces_;
};

}  // namespace sinter::emit
