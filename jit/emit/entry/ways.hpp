// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ways of executing a tile of points that take several rows at once.
#pragma once

#include "jit/emit/emitter.hpp"
#include "schedule/ways/squares.hpp"

namespace sinter::emit {

/// Maps that read against the grain (schedule/ways/squares.hpp): the points [begin, end) x [lo, hi) of the two inner axes,
/// both of which are at least as long as a square. `outer`: the indices of the other axes.
void emit_squares(Emitter& emitter, const Values& outer, llvm::Value* begin, llvm::Value* end, llvm::Value* lo,
                  llvm::Value* hi, const schedule::Squares& squares);

/// The loop over points, of which there are at least as many as lanes, for its effects: lanes are points, and loops inside
/// go in blocks (lanes/rows.hpp).
void emit_row_groups(Emitter& emitter, const LaneLoop& loop, const schedule::RowBlocks& blocks);

}  // namespace sinter::emit
