// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loop IR to LLVM IR.
#pragma once

#include "jit/emit/machine.hpp"
#include "lower/kernel.hpp"

#include <llvm/IR/Module.h>

#include <cstddef>

namespace sinter::emit {

/// Which loops get lanes.
enum class Mode : std::uint8_t {
    points,  ///< the innermost parallel axis
    inner,   ///< points one by one; the innermost axis of each reduce and for_each
    tiles,   ///< the innermost parallel axis, several points of another one together (register_tile.hpp)
    rows,    ///< the innermost parallel axis, elements of loops in blocks that are transposed (row_blocks.hpp)
};
constexpr std::size_t mode_count = 4;

struct Schedule {
    Mode mode = Mode::points;
    const lower::Inst* chunked = nullptr;  ///< a reduce, scan or compact of the body that tiles may execute in parts
};

/// The entries' names in the module.
inline constexpr const char* kernel_name = "kernel";
inline constexpr const char* finish_name = "finish";
inline constexpr const char* chain_name = "chain";

/// Adds `void kernel(const Arguments*, const Tile*)`, which executes a tile, and for a chunked reduce `finish` of the same
/// type, which combines the partial results of all chunks for the points of a tile and executes what follows; for a chunked
/// scan also `chain`, which combines what comes before the tile's chunk with the chunk's total: what comes before the next.
void emit_kernel(llvm::Module& module, const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule);

}  // namespace sinter::emit
