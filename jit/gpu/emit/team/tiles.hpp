// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles: what a team scans or compacts at once. A warp reads a row of a tile, and each lane reads neighbours.
#pragma once

#include "jit/gpu/emit/team/elements.hpp"

namespace sinter::gpu {

class Tiles {
  public:
    struct Tile {
        llvm::Value* begin;
        Range range;  ///< the range that belongs to the tile; it may end before the tile does
    };
    /// What is done with one tile, given what comes before it; returns what comes before the next.
    using Step = llvm::function_ref<Few(const Tile& tile, const Few& before)>;

    Tiles(Point& point, const Inst& loop, Elements& elements);

    /// Executes `step` for all tiles of the loop one after another, or for the tile of this chunk.
    Few each(Few before, Step step);
    /// The values of a thread's elements, row by row, `group()` at a time.
    std::vector<Few> values(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent);
    /// A thread's elements of which some are kept: bit k of `mask`, an i32, says if element k is. One register for all of
    /// them leaves more for their values.
    struct Kept {
        llvm::Value* mask;
        std::vector<Few> values;
    };
    /// `element` and `absent` begin with a boolean.
    Kept kept(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent);
    /// Executes effect(index, k) for those of a thread's elements that exist; k is the position among its elements.
    void effects(const Tile& tile, llvm::function_ref<void(llvm::Value* index, std::size_t k)> effect);
    std::size_t group() const { return static_cast<std::size_t>(shape_.group); }

  private:
    llvm::Value* place_in(const Tile& tile, std::int64_t row, std::int64_t k);
    llvm::Value* is_inside(const Tile& tile, llvm::Value* index) { return ir.CreateICmpSLT(index, tile.range.hi); }
    llvm::Value* is_full(const Tile& tile);
    Few flat(const Tile& tile, bool guarded, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent);
    Few in_full_or_not(const Tile& tile, llvm::function_ref<Few(bool guarded)> all);

    Point& point_;
    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& loop_;
    Elements& elements_;
    const card::TileShape shape_;
};

}  // namespace sinter::gpu
