// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the rows and the columns of a register tile need for a few elements of the reduce: how the threads of a block load
/// it and keep it in the block's memory, and how each thread gets what it needs for its points.
#pragma once

#include "jit/gpu/emit/tile/tiles_of_points.hpp"

namespace sinter::gpu {

class Stages {
  public:
    using Tile = TilesOfPoints::Tile;

    Stages(Point& point, Grid& grid, TilesOfPoints& tiles, const card::RegisterTiles& way);

    /// The number of elements of the reduce, where the body's scope is that of a slice.
    llvm::Value* count();
    /// Emits the instructions of a slice, of the body before the reduce; then, in their scope, `then`.
    void in_body(const Values& indices, const card::RegisterTiles::Slice& slice, llvm::function_ref<void()> then);

    /// The values of the stage that begins with element `first`, loaded by this thread; of elements from `count` on, which
    /// is null if all are there, any, but 0 for tensor cores.
    Few load(const Tile& tile, llvm::Value* first, llvm::Value* count);
    /// Writes them to the stage that begins at `at` in the block's memory.
    void store(const Few& values, llvm::Value* at);
    /// The values of this thread's rows or columns for number `step` of the stage, by value and then by row or column.
    std::vector<Few> fragments(llvm::Value* at, llvm::Value* step);
    /// For tensor cores: what this thread needs of all rows, or of all columns, of its warp in a stage, for one instruction
    /// after another (builtin::multiply_add).
    Few words(llvm::Value* at, bool columns);

    /// This thread's rows and columns in a tile.
    llvm::Value* row(llvm::Value* k);
    llvm::Value* column(std::int64_t k);
    std::int64_t stage_bytes() const { return offsets_.back(); }

  private:
    /// A row or column of the tile, and an element of the stage, the first of those together.
    struct Place {
        llvm::Value *along, *step;
    };
    const card::RegisterTiles::Side& side(bool columns) const { return columns ? way_.columns : way_.rows; }
    std::int64_t length(bool columns) const { return columns ? way_.block_columns() : way_.block_rows(); }
    /// Elements of a row or column that a thread loads and stores together: halves, of which tensor cores take words.
    std::int64_t together() const { return way_.tensor_cores ? 4 / detail::size_of(way_.kept[0].type) : 1; }
    std::int64_t passes(bool columns) const { return length(columns) * way_.steps() / together() / block_threads; }
    Place place(bool columns, std::int64_t pass);
    void load_side(bool columns, const Tile& tile, llvm::Value* first, llvm::Value* count, Few& values);
    void load_place(bool columns, const Tile& tile, Place place, llvm::Value* first, llvm::Value* count, Few& values);
    llvm::Value* stored(llvm::ArrayRef<llvm::Value*> values);
    llvm::Value* address(std::size_t kept, llvm::Value* at, llvm::Value* step, llvm::Value* along);
    void read_run(Few& values, std::size_t kept, llvm::Value* from, std::int64_t count);
    llvm::Value* read_word(std::size_t kept, llvm::Value* at, llvm::Value* along, std::int64_t beyond);
    std::int64_t run() const;
    llvm::Value* warp_row();
    llvm::Value* warp_column();
    /// A thread's lane, divided by four, and the rest.
    llvm::Value* quad() { return ir.CreateAnd(ir.CreateLShr(thread_, 2), 7); }
    llvm::Value* in_quad() { return ir.CreateAnd(thread_, 3); }

    Point& point_;
    emit::Code& code_;
    llvm::IRBuilder<>& ir;
    TilesOfPoints& tiles_;
    const card::RegisterTiles& way_;
    const Inst& reduce_;
    const std::vector<std::int64_t> offsets_;
    llvm::Value* thread_;
};

}  // namespace sinter::gpu
