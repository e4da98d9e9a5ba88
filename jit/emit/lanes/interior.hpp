// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known about a lane loop before it is emitted: where its indices reach borders, and where comparisons of them
/// change their results.
#pragma once

#include "jit/emit/body/blocks.hpp"

namespace sinter::emit {

/// A loop of a block over its last parameter, in [lo, hi). `params` are the others.
struct LaneLoop {
    const Block& block;
    Values params;
    llvm::Value *lo, *hi;
};

/// A comparison of an index that grows by one from lane to lane with a number that does not change.
struct Turn {
    std::size_t inst;  ///< its position in the block
    Value index;       ///< for lane 0
    Value bound;
    bool index_first;  ///< the index is the first operand
};

/// The indices of lanes from which on the comparison has another result: one or two, in this order.
Few turning_points(llvm::IRBuilder<>& ir, const Inst& inst, const Turn& turn);

/// Where in a lane loop no index reaches a border: instructions that clamp, check or compare an index which grows by one
/// from lane to lane do the same for all indices in [lo, hi).
struct Interior {
    llvm::Value *lo, *hi;
    IdleInstructions idle{};                ///< these instructions
    llvm::SmallVector<Turn, 4> turns = {};  ///< comparisons, including `inside`, that change their results at a few indices
    bool of_steps = false;                  ///< some of the instructions are in loops inside of this one
};

}  // namespace sinter::emit
