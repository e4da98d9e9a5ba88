// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops in vectors, without regard to borders: unrolled ones, then whole ones, then what is left, under a mask or one
/// by one.
#pragma once

#include "jit/emit/body/chunked.hpp"
#include "jit/emit/lanes/interior.hpp"

namespace sinter::emit {

/// The parts of a lane loop: unrolled, then for the rest either whole vectors and one under a mask, or one by one.
enum class Stage : std::uint8_t { main, whole, masked, single };

/// Gets the results of each execution of a loop's block.
using Use = llvm::function_ref<void(Stage stage, const Values& results)>;

class Vectors {
  public:
    Vectors(Blocks& blocks, Chunked& chunked) : blocks_(blocks), code_(blocks.code), ir(blocks.code.ir), chunked_(chunked) {}

    /// Emits the vectors that begin at an index.
    using Vector = llvm::function_ref<void(llvm::Value*)>;
    /// Emits the loops in which vectors begin at lo, lo + step, .. below hi, in this order.
    using Walk = llvm::function_ref<void(llvm::Value* lo, llvm::Value* hi, std::int64_t step, Few& carried, Vector vector)>;

    /// Emits the whole loop.
    void all(const LaneLoop& loop, const Lanes& lanes, const Prepared& prepared, Few& carried, Use use);
    /// The same, with several loops of unrolled vectors.
    void all(const LaneLoop& loop, const Lanes& lanes, const Prepared& prepared, Few& carried, Use use, Walk walk);
    /// Emits the unrolled vectors that fit into [lo, hi); returns where they end.
    llvm::Value* main(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, llvm::Value* hi, const Prepared& prepared,
                      Few& carried, Use use);
    /// Emits the vectors that fit between lo and the loop's end; returns where they end. Short loops have no others.
    llvm::Value* whole(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, const Prepared& prepared, Few& carried,
                       Use use);
    /// Emits the loop over [lo, hi) one by one, or by vectors under a mask.
    void rest(const LaneLoop& loop, const Lanes& lanes, bool single, llvm::Value* lo, llvm::Value* hi,
              const Prepared& prepared, Few& carried, Use use);
    /// If the loop begins at 0, emits its first vectors, so many, for constant indices. Returns where they end.
    llvm::Value* first(const LaneLoop& loop, const Lanes& lanes, std::size_t count, const Prepared& prepared, Use use);
    /// Emits one execution of the block. A tile that makes partial results leaves the block after storing them.
    void point(const LaneLoop& loop, const Value& index, const Prepared& prepared, Stage stage, Use use);

  private:
    llvm::Value* unrolled(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, llvm::Value* hi,
                          const Prepared& prepared, Few& carried, Use use, Walk walk);

    Blocks& blocks_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Chunked& chunked_;
};

}  // namespace sinter::emit
