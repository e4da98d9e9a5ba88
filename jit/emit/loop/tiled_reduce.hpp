// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that is kept for a reduce in a register tile.
#pragma once

#include "jit/emit/loop/reduction.hpp"

namespace sinter::emit {

/// By kept value and row of the tile: the address of its row in memory, moved so that it can be indexed like the loop.
std::vector<Few> kept_rows(Emitter& emitter, Nest& nest, const TileLoop& loop, llvm::Value* memory);

}  // namespace sinter::emit
