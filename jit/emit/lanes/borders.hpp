// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops whose indices reach borders, as a stencil's do: in the interior, instructions that keep indices inside are
/// idle.
#pragma once

#include "jit/emit/lanes/vectors.hpp"

namespace sinter::emit {

class Borders {
  public:
    Borders(Blocks& blocks, Vectors& vectors, const Chunked& chunked)
        : blocks_(blocks), code_(blocks.code), ir(blocks.code.ir), vectors_(vectors), chunked_(chunked) {}

    /// Whether the block leaves the same if it is executed twice for an index.
    bool is_repeatable(const Block& b) const;
    /// At a border points are executed one by one, between them as vectors. Those at the ends of the interior overlap their
    /// neighbours, which compute the same again.
    void overlapping(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared);
    /// `vector` for lo, lo + width, ..., in order, [lo, hi) being whole vectors; those in the interior without what is idle.
    void in_order(llvm::Value* lo, llvm::Value* hi, std::int64_t width, const Interior& interior, Few& carried,
                  llvm::function_ref<void(llvm::Value*)> vector);

  private:
    Blocks& blocks_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Vectors& vectors_;
    const Chunked& chunked_;
};

}  // namespace sinter::emit
