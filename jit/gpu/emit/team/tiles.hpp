// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles: what a team scans or compacts at once. A row of a tile is read by a warp, neighbours by each lane.
#pragma once

#include "jit/gpu/emit/team/elements.hpp"

namespace sinter::gpu {

class Tiles {
  public:
    struct Tile {
        llvm::Value* begin;
        Range range;  ///< what is meant to be in the tile; it may end before the tile does
    };
    /// What one tile does, given what comes before it; returns what comes before the next.
    using Step = llvm::function_ref<Few(const Tile& tile, const Few& before)>;

    Tiles(Point& point, const Inst& loop, Elements& elements);

    /// All tiles of the loop one after another, or the one of this chunk.
    Few each(Few before, Step step);
    /// A thread's elements, row by row, as many at a time as `group()`.
    std::vector<Few> values(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent);
    /// effect(index, k) for a thread's elements that are there; k: position among its elements.
    void effects(const Tile& tile, llvm::function_ref<void(llvm::Value* index, std::size_t k)> effect);
    std::size_t group() const { return static_cast<std::size_t>(shape_.group); }

  private:
    llvm::Value* place_in(const Tile& tile, std::int64_t row, std::int64_t k);
    llvm::Value* is_inside(const Tile& tile, llvm::Value* index) { return ir.CreateICmpSLT(index, tile.range.hi); }
    llvm::Value* is_full(const Tile& tile);

    Point& point_;
    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& loop_;
    Elements& elements_;
    const card::TileShape shape_;
};

}  // namespace sinter::gpu
