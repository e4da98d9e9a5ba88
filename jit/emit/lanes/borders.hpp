// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops whose indices reach borders, as those of a stencil do: in the interior, instructions that keep indices inside
/// are idle.
#pragma once

#include "jit/emit/lanes/vectors.hpp"

namespace sinter::emit {

class Borders {
  public:
    Borders(Blocks& blocks, Vectors& vectors) : blocks_(blocks), code_(blocks.code), ir(blocks.code.ir), vectors_(vectors) {}

    /// Points at a border are executed one by one, those between as vectors. The vectors at the ends of the interior overlap
    /// their neighbours, which compute the same again.
    void overlapping(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared);
    /// The whole loop in the order of its lanes, combined as if it had no interior.
    void in_turn(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared, Few& carried,
                 Use use);
    /// Calls `vector` for lo, lo + width, ..., in order, where [lo, hi) consists of whole vectors; for those in the
    /// interior, without what is idle.
    void in_order(llvm::Value* lo, llvm::Value* hi, std::int64_t width, const Interior& interior, Few& carried,
                  llvm::function_ref<void(llvm::Value*)> vector);

  private:
    Blocks& blocks_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Vectors& vectors_;
};

}  // namespace sinter::emit
