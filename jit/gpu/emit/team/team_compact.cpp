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

/// Whether element `index` is kept, and its values.
Few TeamCompact::kept(llvm::Value* index) {
    const Values values = elements_(index);
    Few result{values[0].scalars[0]};
    for (std::size_t k = 1; k < values.size(); ++k) result.push_back(values[k].scalars[0]);
    return result;
}

Few TeamCompact::dropped() {
    Few result{ir.getFalse()};
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
    const Tiles::Kept own = tiles_.kept(tile, [&](llvm::Value* i) { return kept(i); }, dropped());
    const std::size_t group = tiles_.group(), count = own.values.size();
    std::vector<Few> counts;
    for (std::size_t k = 0; k < count; k += group) {
        llvm::Value* row = ir.CreateAnd(ir.CreateLShr(own.mask, k), (std::uint64_t{1} << group) - 1);
        counts.push_back({ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, row)});
    }
    auto wide = [&](llvm::Value* v) { return ir.CreateZExt(v, ir.getInt64Ty()); };
    const Team::Prefixes prefixes = point_.team->scan(counts, {ir.getInt32(0)}, adds);
    llvm::Value *total = wide(prefixes.total[0]), *start = before({total})[0], *at = nullptr;
    for (std::size_t k = 0; k < count; ++k) {
        if (k % group == 0) at = prefixes.before[k / group][0];
        llvm::Value* bit = ir.CreateAnd(ir.CreateLShr(own.mask, k), 1);
        move(bit, own.values[k], ir.CreateAdd(start, wide(at)));
        at = ir.CreateAdd(at, bit);
    }
    return {ir.CreateAdd(start, total)};
}

/// Stores the values of an element if it is kept.
void TeamCompact::move(llvm::Value* bit, const Few& values, llvm::Value* at) {
    Few none;
    point_.code.when(ir.CreateIsNotNull(bit), none, [&] {
        for (std::size_t k = 0; k < values.size(); ++k) point_.emitter.memory.store_element(inst_.bits + k, at, values[k]);
    });
}

}  // namespace sinter::gpu
