// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel's points in tiles of two axes, the rows and the columns; blocks take one tile after another.
#pragma once

#include "jit/gpu/emit/grid.hpp"
#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

/// The axes of a tile and how many points it has along them. Columns are along the innermost axis.
struct TileOfPoints {
    std::size_t row_axis;
    std::int64_t rows, columns;
};

class TilesOfPoints {
  public:
    /// Executes a point, given its indices; some results of the body may be known.
    using Execute = llvm::function_ref<void(const Values& indices, const emit::Prepared* known)>;
    /// The first row and column of a tile, and the indices of all points along the other axes.
    struct Tile {
        Values indices;
        llvm::Value *row, *column;
    };

    TilesOfPoints(Point& point, Grid& grid, const TileOfPoints& shape) : point_(point), grid_(grid), shape_(shape) {}

    void each(llvm::function_ref<void(const Tile&)> body);
    /// The indices of a point of the tile.
    Values at(const Tile& tile, llvm::Value* row, llvm::Value* column) const;
    /// The same; a point beyond the end is replaced by the last one along that axis.
    Values at_or_last(const Tile& tile, llvm::Value* row, llvm::Value* column);
    /// True if the point exists.
    llvm::Value* exists(const Values& indices);

  private:
    /// The number of indices, and what is behind the last one.
    llvm::Value* extent(std::size_t axis);
    llvm::Value* end(std::size_t axis);
    llvm::Value* tiles_along(std::size_t axis, std::int64_t length);
    std::size_t column_axis() const { return point_.kernel.space.size() - 1; }

    Point& point_;
    Grid& grid_;
    TileOfPoints shape_;
};

/// Says that the kernel's body is to execute only these instructions: all others have results that are not known.
emit::Prepared only(const lower::Block& body, const std::vector<bool>& wanted);

}  // namespace sinter::gpu
