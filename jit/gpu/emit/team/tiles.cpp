// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/tiles.hpp"

namespace sinter::gpu {

Tiles::Tiles(Point& point, const Inst& loop, Elements& elements)
    : point_(point), c_(point.code), ir(point.code.ir), loop_(loop), elements_(elements), shape_(point.shared(loop).tile) {}

Few Tiles::each(Few before, Step step) {
    const Range all = elements_.all();
    const std::int64_t length = shape_.elements() * point_.team->threads();
    if (point_.chunk.is_of(loop_)) return step({ir.CreateNSWMul(point_.chunk.index, c_.i64(length)), all}, before);
    c_.loop(all.lo, all.hi, length, before, [&](llvm::Value* begin) { before = step({begin, all}, before); });
    return before;
}

/// The index of element k of this lane in a row.
llvm::Value* Tiles::place_in(const Tile& tile, std::int64_t row, std::int64_t k) {
    Team& team = *point_.team;
    const std::int64_t row_length = warp_threads * shape_.group;
    llvm::Value* warp = ir.CreateNSWMul(ir.CreateLShr(team.rank(), 5), c_.i64(shape_.of_warp()));
    llvm::Value* lane = ir.CreateNSWMul(ir.CreateZExt(team.lane(), ir.getInt64Ty()), c_.i64(shape_.group));
    llvm::Value* first = ir.CreateNSWAdd(tile.begin, ir.CreateNSWAdd(warp, lane));
    return ir.CreateNSWAdd(first, c_.i64(row * row_length + k));
}

llvm::Value* Tiles::is_full(const Tile& tile) {
    llvm::Value* end = ir.CreateNSWAdd(tile.begin, c_.i64(shape_.elements() * point_.team->threads()));
    return ir.CreateICmpSLE(end, tile.range.hi);
}

/// The values of all elements, one after another.
Few Tiles::flat(const Tile& tile, bool guarded, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent) {
    Few values;
    for (std::int64_t row = 0; row < shape_.rows; ++row)
        for (std::int64_t k = 0; k < shape_.group; ++k) {
            llvm::Value* i = place_in(tile, row, k);
            auto own = [&] { return element(i); };
            values.append(guarded ? c_.either(is_inside(tile, i), own, [&] { return absent; }) : own());
        }
    return values;
}

/// In a full tile, elements are not tested one by one.
Few Tiles::in_full_or_not(const Tile& tile, llvm::function_ref<Few(bool guarded)> all) {
    return shape_.straight ? c_.either(is_full(tile), [&] { return all(false); }, [&] { return all(true); }) : all(true);
}

std::vector<Few> Tiles::values(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent) {
    const Few values = in_full_or_not(tile, [&](bool guarded) { return flat(tile, guarded, element, absent); });
    std::vector<Few> result;
    for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(absent.size()))
        result.emplace_back(at, at + static_cast<std::ptrdiff_t>(absent.size()));
    return result;
}

Tiles::Kept Tiles::kept(const Tile& tile, llvm::function_ref<Few(llvm::Value*)> element, const Few& absent) {
    const std::size_t width = absent.size(), count = static_cast<std::size_t>(shape_.elements());
    const Few values = in_full_or_not(tile, [&](bool guarded) {
        const Few all = flat(tile, guarded, element, absent);
        Few result{ir.getInt32(0)};
        for (std::size_t k = 0; k < count; ++k) {
            llvm::Value* bit = ir.CreateShl(ir.CreateZExt(all[k * width], ir.getInt32Ty()), k);
            result[0] = ir.CreateOr(result[0], bit);
            result.append(all.begin() + k * width + 1, all.begin() + (k + 1) * width);
        }
        return result;
    });
    Kept result{values[0], {}};
    for (std::size_t k = 0; k < count; ++k)
        result.values.emplace_back(values.begin() + 1 + k * (width - 1), values.begin() + 1 + (k + 1) * (width - 1));
    return result;
}

void Tiles::effects(const Tile& tile, llvm::function_ref<void(llvm::Value* index, std::size_t k)> effect) {
    auto all = [&](bool guarded) {
        std::size_t n = 0;
        for (std::int64_t row = 0; row < shape_.rows; ++row)
            for (std::int64_t k = 0; k < shape_.group; ++k, ++n) {
                llvm::Value* i = place_in(tile, row, k);
                Few none;
                guarded ? c_.when(is_inside(tile, i), none, [&] { effect(i, n); }) : effect(i, n);
            }
    };
    if (!shape_.straight) return all(true);
    c_.either(is_full(tile), [&] { return all(false), Few(); }, [&] { return all(true), Few(); });
}

}  // namespace sinter::gpu
