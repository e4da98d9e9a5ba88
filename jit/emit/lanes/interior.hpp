// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a lane loop before it: where its indices reach borders, and where comparisons of them turn over.
#pragma once

#include "jit/emit/body/blocks.hpp"

namespace sinter::emit {

/// A loop of a block over its last parameter, [lo, hi). `params` are the others.
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
    bool index_first;  ///< of the operands
};

/// Where in a lane loop no index reaches a border: instructions that clamp or check an index which grows by one from lane
/// to lane do nothing for indices in [lo, hi).
struct Interior {
    llvm::Value *lo, *hi;
    Instructions idle = {};                 ///< these, whose result is their first affine operand, or true
    llvm::SmallVector<Turn, 4> turns = {};  ///< comparisons, `inside` too: what turns over at few indices
};

}  // namespace sinter::emit
