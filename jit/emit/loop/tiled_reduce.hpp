// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is kept in memory for a reduce in a register tile.
#pragma once

#include "jit/emit/loop/reduction.hpp"

namespace sinter::emit {

/// By kept value and row of the tile: its row in memory, moved such that it is indexed like the loop.
std::vector<Few> kept_rows(Emitter& emitter, Nest& nest, const TileLoop& loop, llvm::Value* memory);

}  // namespace sinter::emit
