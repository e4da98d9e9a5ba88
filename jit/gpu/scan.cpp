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

/// Shows the prefixes of a range, given what comes before it. Returns what comes before its end. A thread combines
/// neighbours, the team what the threads have.
Few Loops::scan_range(const Inst& inst, Operator& op, Range range, Few before) {
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    const std::int64_t each = is_straight(inst.blocks[0]) && is_straight(inst.blocks[1]) ? group_elements : 1;
    in_step(range, each, before, [&](llvm::Value* first) {
        std::vector<Few> local;
        for (std::int64_t k = 0; k < each; ++k) {
            llvm::Value* i = ir.CreateNSWAdd(first, c_.i64(k));
            const Few own =
                c_.either(is_inside(i, range), [&] { return op.present(element(inst, 1, i)); }, [&] { return op.absent(); });
            local.push_back(k == 0 ? own : merge(local.back(), own));
        }
        const Team::Prefixes prefixes = team->scan(local.back(), op.absent(), merge);
        const Few start = merge(before, prefixes.before);
        for (std::size_t k = 0; k < local.size(); ++k) {
            llvm::Value* i = ir.CreateNSWAdd(first, c_.i64(static_cast<std::int64_t>(k)));
            const bool nothing_between = is_exclusive(inst) && k == 0;
            const Few shown = nothing_between ? start : merge(start, local[is_exclusive(inst) ? k - 1 : k]);
            show(inst, i, op.values(shown), is_inside(i, range));
        }
        before = merge(before, prefixes.total);
    });
    return before;
}

void Loops::show(const Inst& inst, llvm::Value* i, const Values& prefix, llvm::Value* inside) {
    Few none;
    c_.when(inside, none, [&] {
        Values params{e_.index(i)};
        params.append(prefix);
        execute(inst.blocks[2], params, i);
    });
}

Values Loops::part_of_scan(const Inst& inst, Operator& op) {
    auto merge = [&](const Few& a, const Few& b) { return op.merge(a, b); };
    const Few first = is_seeded(inst) ? op.present(op.reduction().init()) : op.absent();
    if (chunk.role == Role::finish) return load_states(chunk.befores, chunk.count);
    if (chunk.role == Role::partial) {
        const Few own = accumulate(op, elements(inst, 1), Order::kept, [&](llvm::Value* i) { return element(inst, 1, i); });
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
    in_step(chunks(), 1, before, [&](llvm::Value* i) {
        llvm::Value* inside = is_inside(i, chunks());
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
