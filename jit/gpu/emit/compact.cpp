// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compaction: a team finds the places of a tile's elements by counting those kept before each. Of many tiles each learns
// from those before it how many they keep.
#include "jit/gpu/emit/loops.hpp"

namespace sinter::gpu {

/// Whether element `index` is kept, as a number, and its values.
Few Loops::kept(const Inst& inst, llvm::Value* index) {
    const Values values = element(inst, 1, index);
    Few result{ir.CreateZExt(values[0].scalars[0], ir.getInt32Ty())};
    for (std::size_t k = 1; k < values.size(); ++k) result.push_back(values[k].scalars[0]);
    return result;
}

Few Loops::dropped(const Inst& inst) {
    Few result{ir.getInt32(0)};
    for (std::size_t k = 1; k < inst.blocks[0].results.size(); ++k)
        result.push_back(llvm::Constant::getNullValue(c_.type(kernel_.buffers[inst.bits + k - 1].scalar)));
    return result;
}

/// Moves the kept elements of a tile; returns the place behind them.
Few Loops::compact_tile(const Inst& inst, const Tile& tile, Before before) {
    auto add = [&](const Few& a, const Few& b) { return Few{ir.CreateAdd(a[0], b[0])}; };
    const std::vector<Few> own = tile_values(tile, [&](llvm::Value* i) { return kept(inst, i); }, dropped(inst));
    const auto group = static_cast<std::size_t>(tile.shape.group);
    std::vector<Few> counts;
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (k % group == 0) counts.push_back({ir.getInt32(0)});
        counts.back() = add(counts.back(), own[k]);
    }
    auto wide = [&](llvm::Value* v) { return ir.CreateZExt(v, ir.getInt64Ty()); };
    const Team::Prefixes prefixes = team->scan(counts, {ir.getInt32(0)}, add);
    llvm::Value *total = wide(prefixes.total[0]), *start = before({total})[0], *at = nullptr;
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (k % group == 0) at = ir.CreateAdd(start, wide(prefixes.before[k / group][0]));
        move(inst, own[k], at);
        at = ir.CreateAdd(at, wide(own[k][0]));
    }
    return {ir.CreateAdd(start, total)};
}

/// Stores the values of an element if it is kept.
void Loops::move(const Inst& inst, const Few& values, llvm::Value* at) {
    Few none;
    c_.when(ir.CreateIsNotNull(values[0]), none, [&] {
        for (std::size_t k = 1; k < values.size(); ++k) e_.store_element(inst.bits + k - 1, at, values[k]);
    });
}

Values Loops::compact(const Inst& inst) {
    auto add = [&](const Few& a, const Few& b) { return Few{ir.CreateAdd(a[0], b[0])}; };
    const Few none{c_.i64(0)};
    const Few count = each_tile(inst, none, [&](const Tile& tile, const Few& place) {
        return compact_tile(inst, tile,
                            [&](const Few& own) { return chunk.loop == &inst ? look_back(own, none, add) : place; });
    });
    if (chunk.loop == &inst) leave_unless_last();
    return {e_.index(count[0])};
}

}  // namespace sinter::gpu
