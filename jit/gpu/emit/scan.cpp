// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: a team scans tile after tile. A line of many tiles is scanned by many teams, a tile each, in one pass: what comes
// before a tile it learns from the tiles before it.
#include "jit/gpu/emit/loops.hpp"
#include "lower/loops.hpp"

namespace sinter::gpu {

namespace {

bool is_seeded(const Inst& inst) { return inst.operands.size() > 1; }

}  // namespace

Values Loops::scan(const Inst& inst) {
    Operator op(c_, e_, inst);
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    const Few first = is_seeded(inst) ? op.present(op.reduction().init()) : op.absent();
    const Few total = each_tile(inst, first, [&](const Tile& tile, const Few& before) {
        return scan_tile(inst, op, tile, [&](const Few& own) {
            return chunk.loop == &inst ? merge(first, look_back(own, op.absent(), merge)) : before;
        });
    });
    if (chunk.loop == &inst) leave_unless_last();
    return op.values(total);
}

/// Shows the prefixes of a tile. Returns what comes before its end.
Few Loops::scan_tile(const Inst& inst, Operator& op, const Tile& tile, Before before) {
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    auto own = [&](llvm::Value* i) { return op.present(element(inst, 1, i)); };
    std::vector<Few> local = tile_values(tile, own, op.absent()), totals;
    const auto group = static_cast<std::size_t>(tile.shape.group);
    for (std::size_t k = 0; k < local.size(); ++k) {
        if (k % group > 0) local[k] = merge(local[k - 1], local[k]);
        if (k % group == group - 1) totals.push_back(local[k]);
    }
    const Team::Prefixes prefixes = team->scan(totals, op.absent(), merge);
    const Few start = before(prefixes.total);
    std::vector<Few> starts;
    for (const Few& row : prefixes.before) starts.push_back(merge(start, row));
    tile_effects(tile, [&](llvm::Value* i, std::size_t k) {
        const Few& row = starts[k / group];
        const bool nothing_between = lower::is_exclusive(inst) && k % group == 0;
        show(inst, i, op.values(nothing_between ? row : merge(row, local[lower::is_exclusive(inst) ? k - 1 : k])));
    });
    return merge(start, prefixes.total);
}

void Loops::show(const Inst& inst, llvm::Value* i, const Values& prefix) {
    Values params{e_.index(i)};
    params.append(prefix);
    execute(inst.blocks[2], params, i);
}

}  // namespace sinter::gpu
