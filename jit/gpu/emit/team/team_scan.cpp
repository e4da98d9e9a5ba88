// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/team_scan.hpp"

#include "jit/gpu/emit/team/lookback.hpp"
#include "lower/loops.hpp"

namespace sinter::gpu {

namespace {

bool is_seeded(const Inst& inst) { return inst.operands.size() > 1; }

}  // namespace

TeamScan::TeamScan(Point& point, const Inst& inst)
    : point_(point),
      inst_(inst),
      elements_(point, inst),
      tiles_(point, inst, elements_),
      op_(point.code, point.emitter, inst) {}

Values TeamScan::emit() {
    auto merges = [&](const Few& a, const Few& b) { return merge(a, b); };
    const bool chunked = point_.chunk.is_of(inst_);
    const Few first = is_seeded(inst_) ? op_.present(op_.combiner().init()) : op_.absent();
    const Few total = tiles_.each(first, [&](const Tiles::Tile& tile, const Few& before) {
        return scan(tile, [&](const Few& own) {
            return chunked ? merge(first, look_back(point_, own, op_.absent(), merges)) : before;
        });
    });
    if (chunked) point_.leave_unless_last();
    return op_.values(total);
}

/// Executes the emit block for the prefixes of a tile. `before`: what comes before it, given its total. Returns what comes
/// before its end.
Few TeamScan::scan(const Tiles::Tile& tile, llvm::function_ref<Few(const Few& total)> before) {
    auto merges = [&](const Few& a, const Few& b) { return merge(a, b); };
    auto own = [&](llvm::Value* i) { return op_.present(elements_(i)); };
    std::vector<Few> local = tiles_.values(tile, own, op_.absent()), totals;
    const std::size_t group = tiles_.group();
    for (std::size_t k = 0; k < local.size(); ++k) {
        if (k % group > 0) local[k] = merge(local[k - 1], local[k]);
        if (k % group == group - 1) totals.push_back(local[k]);
    }
    const Team::Prefixes prefixes = point_.team->scan(totals, op_.absent(), merges);
    const Few start = before(prefixes.total);
    std::vector<Few> starts;
    for (const Few& row : prefixes.before) starts.push_back(merge(start, row));
    const bool exclusive = lower::is_exclusive(inst_);
    tiles_.effects(tile, [&](llvm::Value* i, std::size_t k) {
        const Few& row = starts[k / group];
        const bool nothing_between = exclusive && k % group == 0;
        show(i, op_.values(nothing_between ? row : merge(row, local[exclusive ? k - 1 : k])));
    });
    return merge(start, prefixes.total);
}

void TeamScan::show(llvm::Value* i, const Values& prefix) {
    Values params{emit::Value::index(i)};
    params.append(prefix);
    elements_.execute(inst_.blocks[2], params, i);
}

}  // namespace sinter::gpu
