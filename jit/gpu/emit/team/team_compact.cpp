// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/team_compact.hpp"

#include "jit/gpu/emit/team/lookback.hpp"

namespace sinter::gpu {

TeamCompact::TeamCompact(Point& point, const Inst& inst)
    : point_(point), ir(point.code.ir), inst_(inst), elements_(point, inst), tiles_(point, inst, elements_) {}

Values TeamCompact::emit() {
    auto adds = [&](const Few& a, const Few& b) { return add(a, b); };
    const bool chunked = point_.chunk.is_of(inst_);
    const Few none{point_.code.i64(0)};
    const Few count = tiles_.each(none, [&](const Tiles::Tile& tile, const Few& place) {
        return compact(tile, [&](const Few& own) { return chunked ? look_back(point_, own, none, adds) : place; });
    });
    if (chunked) point_.leave_unless_last();
    return {emit::Value::index(count[0])};
}

/// A number that says if element `index` is kept, and its values.
Few TeamCompact::kept(llvm::Value* index) {
    const Values values = elements_(index);
    Few result{ir.CreateZExt(values[0].scalars[0], ir.getInt32Ty())};
    for (std::size_t k = 1; k < values.size(); ++k) result.push_back(values[k].scalars[0]);
    return result;
}

Few TeamCompact::dropped() {
    Few result{ir.getInt32(0)};
    for (std::size_t k = 1; k < inst_.blocks[0].results.size(); ++k) {
        llvm::Type* type = point_.code.type(point_.kernel.buffers[inst_.bits + k - 1].scalar);
        result.push_back(llvm::Constant::getNullValue(type));
    }
    return result;
}

/// Moves the kept elements of a tile. `before`: the position of the first, given their number. Returns the position after
/// them.
Few TeamCompact::compact(const Tiles::Tile& tile, llvm::function_ref<Few(const Few& total)> before) {
    auto adds = [&](const Few& a, const Few& b) { return add(a, b); };
    const std::vector<Few> own = tiles_.values(tile, [&](llvm::Value* i) { return kept(i); }, dropped());
    const std::size_t group = tiles_.group();
    std::vector<Few> counts;
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (k % group == 0) counts.push_back({ir.getInt32(0)});
        counts.back() = add(counts.back(), own[k]);
    }
    auto wide = [&](llvm::Value* v) { return ir.CreateZExt(v, ir.getInt64Ty()); };
    const Team::Prefixes prefixes = point_.team->scan(counts, {ir.getInt32(0)}, adds);
    llvm::Value *total = wide(prefixes.total[0]), *start = before({total})[0], *at = nullptr;
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (k % group == 0) at = ir.CreateAdd(start, wide(prefixes.before[k / group][0]));
        move(own[k], at);
        at = ir.CreateAdd(at, wide(own[k][0]));
    }
    return {ir.CreateAdd(start, total)};
}

/// Stores the values of an element if it is kept.
void TeamCompact::move(const Few& values, llvm::Value* at) {
    Few none;
    point_.code.when(ir.CreateIsNotNull(values[0]), none, [&] {
        for (std::size_t k = 1; k < values.size(); ++k)
            point_.emitter.memory.store_element(inst_.bits + k - 1, at, values[k]);
    });
}

}  // namespace sinter::gpu
