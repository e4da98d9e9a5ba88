// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles: what a team scans or compacts at once. A row of a tile is read by a warp, neighbours by each lane.
#include "jit/gpu/emit/loops.hpp"

namespace sinter::gpu {

/// All tiles of a loop one after another, or the one of this chunk.
Few Loops::each_tile(const Inst& inst, Few before, TileStep step) {
    const card::TileShape shape = shape_of(inst);
    const Range all = all_elements(inst, 1);
    const std::int64_t length = shape.elements() * team->threads();
    if (chunk.loop == &inst) return step({shape, ir.CreateNSWMul(chunk.index, c_.i64(length)), all}, before);
    c_.loop(all.lo, all.hi, length, before, [&](llvm::Value* begin) { before = step({shape, begin, all}, before); });
    return before;
}

/// Element k of this lane in a row.
llvm::Value* Loops::place_in(const Tile& tile, std::int64_t row, std::int64_t k) {
    const std::int64_t row_length = warp_threads * tile.shape.group;
    llvm::Value* warp = ir.CreateNSWMul(ir.CreateLShr(team->rank(), 5), c_.i64(tile.shape.of_warp()));
    llvm::Value* lane = ir.CreateNSWMul(ir.CreateZExt(team->lane(), ir.getInt64Ty()), c_.i64(tile.shape.group));
    llvm::Value* first = ir.CreateNSWAdd(tile.begin, ir.CreateNSWAdd(warp, lane));
    return ir.CreateNSWAdd(first, c_.i64(row * row_length + k));
}

llvm::Value* Loops::is_full(const Tile& tile) {
    llvm::Value* end = ir.CreateNSWAdd(tile.begin, c_.i64(tile.shape.elements() * team->threads()));
    return ir.CreateICmpSLE(end, tile.range.hi);
}

/// A thread's elements, row by row. In a tile that is full they are not asked for one by one.
std::vector<Few> Loops::tile_values(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent) {
    auto all = [&](bool guarded) {
        Few values;
        for (std::int64_t row = 0; row < tile.shape.rows; ++row)
            for (std::int64_t k = 0; k < tile.shape.group; ++k) {
                llvm::Value* i = place_in(tile, row, k);
                auto own = [&] { return element(i); };
                values.append(guarded ? c_.either(is_inside(tile, i), own, [&] { return absent; }) : own());
            }
        return values;
    };
    Few values =
        tile.shape.straight ? c_.either(is_full(tile), [&] { return all(false); }, [&] { return all(true); }) : all(true);
    std::vector<Few> result;
    for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(absent.size()))
        result.emplace_back(at, at + static_cast<std::ptrdiff_t>(absent.size()));
    return result;
}

void Loops::tile_effects(const Tile& tile, llvm::function_ref<void(llvm::Value* index, std::size_t k)> effect) {
    auto all = [&](bool guarded) {
        std::size_t n = 0;
        for (std::int64_t row = 0; row < tile.shape.rows; ++row)
            for (std::int64_t k = 0; k < tile.shape.group; ++k, ++n) {
                llvm::Value* i = place_in(tile, row, k);
                Few none;
                guarded ? c_.when(is_inside(tile, i), none, [&] { effect(i, n); }) : effect(i, n);
            }
    };
    if (!tile.shape.straight) return all(true);
    c_.either(is_full(tile), [&] { return all(false), Few(); }, [&] { return all(true), Few(); });
}

}  // namespace sinter::gpu
