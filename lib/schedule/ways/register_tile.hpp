// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that run in register tiles: several points along one parallel axis, the *rows*, times several vectors along the
/// innermost axis, the *columns*, go through their reduces together. Whatever an element needs that does not depend on the
/// row is computed once for many rows and kept, packed, in the nearest cache (jit/emit/entry/register_tile.cpp); whatever
/// does not depend on the column is one scalar per row. So an element costs its arithmetic and almost no loads. This is the
/// way for matrix products and everything similar, whatever the operators, the views through which operands are read, and
/// the other axes.
///
/// The reduce of a point combines its elements one after another, in order, as the interpreter does. So a sequential loop
/// that folds may go this way, too.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/facts/facts.hpp"
#include "schedule/machine.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// What the results of an instruction vary with.
struct Dependence {
    bool row = false;
    bool column = false;
    bool index = false;   ///< arithmetic on indices and sizes, which is not kept
    bool number = false;  ///< a constant
};

/// A reduce of the body, or a sequential loop that is one.
struct TileLoop {
    struct Kept {
        std::size_t inst, result;
        ir::Scalar type;
    };
    const lower::Inst* inst;          ///< of the body
    const lower::Inst* reduce;        ///< the same, or what it is as a reduce
    std::vector<Dependence> element;  ///< by instruction of the element block
    std::vector<bool> here;           ///< by instruction of the element block: executed for every element; the others are
                                      ///< executed where values are kept
    std::vector<Kept> of_columns;     ///< values that rows share
    std::vector<Kept> of_rows;        ///< values that columns share and that are computed, not only loaded; only if there is
                                      ///< a single loop
};

struct RegisterTile {
    std::size_t row_axis = 0;
    int width = 1, rows = 1, columns = 1;
    int unit = 1;                  ///< bytes of a vector register
    std::vector<Dependence> body;  ///< by instruction of the body
    std::vector<TileLoop> loops;   ///< in the order of the body
    double arithmetic = 0;         ///< vector instructions per element of all loops
    double of_scalars = 0;         ///< scalar instructions per row of an index
    double of_index = 0;           ///< scalar instructions per index, which rows and columns share
    double of_columns = 0;         ///< the same for the values that are kept
    double of_rows = 0;

    /// Bytes of `count` kept vectors per column, each of which begins at a multiple of a register's size.
    std::int64_t vectors(std::size_t count) const { return static_cast<std::int64_t>(count) * columns * unit; }
    /// The bytes kept per element for all columns of the tile.
    std::int64_t record(const TileLoop& loop) const { return vectors(loop.of_columns.size()); }
    SINTER_SHARED const TileLoop* find(const lower::Inst& inst) const;
};

/// Bytes from row to row if `length` values are kept for each: an odd number of cache lines, so that rows do not displace
/// each other from the nearest cache.
constexpr std::int64_t row_stride(std::int64_t length, ir::Scalar type) {
    constexpr std::int64_t line = tuning::line_bytes;
    return ((length * detail::size_of(type) + line - 1) & -line) | line;
}

/// The most rows and vectors that a tile may have.
struct TileSide {
    int rows = tuning::most_tile_rows, columns = tuning::most_tile_columns;
};
/// Of a usual tile, and of tiles for axes that are shorter than its columns, or a little longer than a multiple of them.
constexpr TileSide tile_sides[] = {
    {}, {tuning::narrow_tile_rows, tuning::narrow_tile_columns}, {tuning::single_tile_rows, tuning::single_tile_columns}};

/// The tile for a kernel whose only loop is `ordered`, or whose loops are reduces; nothing if the kernel would not gain by
/// one.
std::optional<RegisterTile> register_tile(const Machine& machine, const lower::Kernel& kernel,
                                          const std::optional<Facts::OrderedFold>& ordered = {}, TileSide most = {});

}  // namespace sinter::schedule
