// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: a team scans as many elements as it has threads, in a tree, and goes on behind them. A line of many chunks is
// reduced first: partial results of chunks, a scan of these, and the chunks again from what comes before them. So every
// element is read twice, where a chained scan reads it once.
#include "jit/gpu/loops.hpp"

namespace sinter::gpu {

namespace {

bool is_seeded(const Inst& inst) { return inst.operands.size() > 1; }
bool is_exclusive(const Inst& inst) { return inst.bits >> 8; }

}  // namespace

Values Loops::scan(const Inst& inst) {
    Operator op(c_, e_, inst);
    if (chunk.loop == &inst) return part_of_scan(inst, op);
    const Few before = is_seeded(inst) ? op.present(op.reduction().init()) : op.absent();
    return op.values(scan_range(inst, op, elements(inst, 1), before));
}

/// Shows the prefixes of a range, given what comes before it. Returns what comes before its end.
Few Loops::scan_range(const Inst& inst, Operator& op, Range range, Few before) {
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    in_step(range, before, [&](llvm::Value* i, llvm::Value* inside) {
        const Few own = c_.either(inside, [&] { return op.present(element(inst, 1, i)); }, [&] { return op.absent(); });
        const Team::Prefixes prefixes = team->scan(own, op.absent(), merge);
        const Few shown = merge(before, is_exclusive(inst) ? prefixes.before : prefixes.through);
        Few none;
        c_.when(inside, none, [&] {
            Values params{e_.index(i)};
            params.append(op.values(shown));
            execute(inst.blocks[2], params, i);
        });
        before = merge(before, prefixes.total);
    });
    return before;
}

Values Loops::part_of_scan(const Inst& inst, Operator& op) {
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    const Few first = is_seeded(inst) ? op.present(op.reduction().init()) : op.absent();
    if (chunk.role == Role::finish) return load_states(chunk.befores, chunk.count);
    if (chunk.role == Role::partial) {
        const Few own = accumulate(op, elements(inst, 1), true, [&](llvm::Value* i) { return element(inst, 1, i); });
        const Few total = team->reduce(own, merge);
        by_first([&] { store_states(chunk.partials, chunk.index, op.values(total)); });
    } else if (chunk.role == Role::chain) {
        chain(op, first);
    } else {
        const Few before = c_.either(
            ir.CreateIsNull(chunk.index), [&] { return first; },
            [&] { return op.present(load_states(chunk.befores, chunk.index)); });
        scan_range(inst, op, elements(inst, 1), before);
    }
    leave_point();
    return op.values(op.absent());
}

/// What comes before each chunk but the first, and behind the last.
void Loops::chain(Operator& op, const Few& first) {
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    Few before = first;
    in_step(chunks(), before, [&](llvm::Value* i, llvm::Value* inside) {
        const Few own =
            c_.either(inside, [&] { return op.present(load_states(chunk.partials, i)); }, [&] { return op.absent(); });
        const Team::Prefixes prefixes = team->scan(own, op.absent(), merge);
        const Few through = merge(before, prefixes.through);
        Few none;
        c_.when(inside, none, [&] { store_states(chunk.befores, ir.CreateAdd(i, c_.i64(1)), op.values(through)); });
        before = merge(before, prefixes.total);
    });
}

}  // namespace sinter::gpu
