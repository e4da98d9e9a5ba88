// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops over arrays that are composed of pieces, as those of concat and rotate are: on the two sides of a comparison
/// of the lane's index, different elements are read. The loop runs from turning point to turning point; in between, all
/// lanes take the same side, and what the other side would read is not touched.
#pragma once

#include "jit/emit/lanes/vectors.hpp"

namespace sinter::emit {

class Pieces {
  public:
    Pieces(Blocks& blocks, Vectors& vectors) : code_(blocks.code), ir(blocks.code.ir), vectors_(vectors) {}

    void emit(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared);

  private:
    Value turned(const Inst& inst, const Turn& turn, llvm::Value* index);

    Code& code_;
    llvm::IRBuilder<>& ir;
    Vectors& vectors_;
};

}  // namespace sinter::emit
