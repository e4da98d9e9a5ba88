// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which kernels run in register tiles: several points of one parallel axis, the *rows*, times several vectors of the
/// innermost one, the *columns*, go through their reduces together. What an element takes that does not depend on the row is
/// computed once for many rows and kept, packed, in the nearest cache (jit/emit/loop/tiles.cpp); what does not depend on the
/// column is one scalar for a row. So an element costs its arithmetic and next to no loads: matrix products and what looks
/// like them, whatever the operators, the views they read through and the other axes.
///
/// The reduce of a point combines its elements one after another, in their order, as the interpreter does.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/machine.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// Of one instruction: what it varies with.
struct Dependence {
    bool row = false;
    bool column = false;
    bool index = false;  ///< arithmetic of indices and sizes: nothing to be kept
};

/// A reduce of the body.
struct TileLoop {
    struct Kept {
        std::size_t inst, result;
        ir::Scalar type;
    };
    const lower::Inst* reduce;
    std::vector<Dependence> element;  ///< by instruction of its element block
    std::vector<bool> here;           ///< by the same: executed for every element; others are where something is kept
    std::vector<Kept> of_columns;     ///< what rows share
    std::vector<Kept> of_rows;        ///< what columns share and is computed, not only loaded: where there is one loop
};

struct RegisterTile {
    std::size_t row_axis = 0;
    int width = 1, rows = 1, columns = 1;
    int unit = 1;                  ///< bytes of a vector register
    std::vector<Dependence> body;  ///< by instruction of the body
    std::vector<TileLoop> loops;   ///< in order
    double arithmetic = 0;         ///< vector instructions an element of all loops takes
    double of_columns = 0;         ///< the same for what is kept
    double of_rows = 0;

    /// Vectors kept one after another, each from a multiple of a register's size.
    std::int64_t vectors(std::size_t count) const { return static_cast<std::int64_t>(count) * columns * unit; }
    /// What is kept of one element for all columns of the tile.
    std::int64_t record(const TileLoop& loop) const { return vectors(loop.of_columns.size()); }
    SINTER_SHARED const TileLoop* find(const lower::Inst& inst) const;
};

/// Bytes from row to row of `length` values kept for each: an odd number of cache lines, so that rows do not push each other
/// out of the nearest cache.
constexpr std::int64_t row_stride(std::int64_t length, ir::Scalar type) {
    constexpr std::int64_t line = 64;
    return ((length * detail::size_of(type) + line - 1) & -line) | line;
}

/// Nothing for a kernel that would not gain by it.
std::optional<RegisterTile> register_tile(const Machine& machine, const lower::Kernel& kernel);

}  // namespace sinter::schedule
