// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lane loops over what is put together from pieces, as concat and rotate do: on either side of a comparison of the lane's
/// index other elements are read. The loop runs from turning point to turning point; in between all lanes go one way, and
/// what the other way would read is not touched.
#pragma once

#include "jit/emit/lanes/vectors.hpp"

namespace sinter::emit {

class Pieces {
  public:
    Pieces(Blocks& blocks, Vectors& vectors)
        : scope_(blocks.scope), code_(blocks.code), ir(blocks.code.ir), vectors_(vectors) {}

    /// Whether the block is put together from pieces: control flow depends on comparisons of the index, few of them and not
    /// only on those that keep it inside of an array; borders.hpp knows more of these.
    bool are_of(const Block& b, const Interior& interior) const;
    void emit(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared);

  private:
    Few turning_points(const Block& b, const Interior& interior);
    Value turned(const Inst& inst, const Turn& turn, llvm::Value* index);

    const Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Vectors& vectors_;
};

}  // namespace sinter::emit
