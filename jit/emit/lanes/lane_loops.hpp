// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops: loops whose neighbouring iterations are executed in the lanes of vectors, as many as the schedule says.
///
/// Before the loop goes what no lane changes (invariants.hpp). Then the ways:
///   pieces      a loop for its effects whose control flow turns over at few indices, as that of concat: from turning point
///               to turning point, all lanes going one way (pieces.hpp);
///   overlapping a loop for its effects with an interior, as a stencil's, that may execute an index twice: the border one by
///               one, the interior in vectors, those at its ends overlapping (borders.hpp);
///   interior    any other loop with one, such as a reduce: unrolled vectors in the interior, then before and behind it;
///   vectors     all else: unrolled vectors, whole ones, and what is left under a mask or one by one (vectors.hpp). A large
///               body is emitted once, under a mask that covers all (`covering`);
///   one by one  where lanes do not pay: some points an iteration, so that the loop's own instructions matter less.
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
          chunked_(chunked),
          invariants_(blocks, arithmetic, chunked),
          vectors_(blocks, chunked),
          borders_(blocks, vectors_, chunked),
          pieces_(blocks, vectors_) {}

    /// How the loops of the kernel run that no lanes surround; without it none has lanes.
    void schedule(const schedule::LoopLanes& lanes) { of_loops_ = &lanes; }
    const schedule::Lanes& lanes_of(const Inst& loop) const;

    /// Executes the loop `lanes` wide. `use` may change the variables `carried`, which have one set of values through all
    /// stages.
    void emit(const LaneLoop& loop, const Lanes& lanes, Few& carried, Use use);
    /// The loop for its effects.
    void for_effects(const LaneLoop& loop, const schedule::Lanes& lanes);

    Invariants& invariants() { return invariants_; }
    Borders& borders() { return borders_; }

  private:
    void one_by_one(const LaneLoop& loop, std::int64_t together);

    Blocks& blocks_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    const Chunked& chunked_;
    const schedule::LoopLanes* of_loops_ = nullptr;
    Invariants invariants_;
    Vectors vectors_;
    Borders borders_;
    Pieces pieces_;
};

}  // namespace sinter::emit
