// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compaction: a team finds the places of as many elements as it has threads by counting those kept before each. Chunks are
// counted first, then their places are known.
#include "jit/gpu/loops.hpp"

namespace sinter::gpu {

/// Whether element `index` is kept, as a number, and its values.
Few Loops::kept(const Inst& inst, llvm::Value* index, llvm::Value* inside) {
    return c_.either(
        inside,
        [&] {
            const Values values = element(inst, 1, index);
            Few result{ir.CreateZExt(values[0].scalars[0], ir.getInt64Ty())};
            for (std::size_t k = 1; k < values.size(); ++k) result.push_back(values[k].scalars[0]);
            return result;
        },
        [&] {
            Few result{c_.i64(0)};
            for (std::size_t k = 1; k < inst.blocks[0].results.size(); ++k)
                result.push_back(llvm::Constant::getNullValue(c_.type(kernel_.buffers[inst.bits + k - 1].scalar)));
            return result;
        });
}

/// Moves the kept elements of a range to `place` and behind; returns the place behind them.
llvm::Value* Loops::compact_range(const Inst& inst, Range range, llvm::Value* place, bool writes) {
    auto add = [&](const Few& a, const Few& b) { return Few{ir.CreateAdd(a[0], b[0])}; };
    const std::int64_t each = is_straight(inst.blocks[0]) ? group_elements : 1;
    Few carried{place};
    in_step(range, each, carried, [&](llvm::Value* first) {
        std::vector<Few> own;
        llvm::Value* count = c_.i64(0);
        for (std::int64_t k = 0; k < each; ++k) {
            llvm::Value* i = ir.CreateNSWAdd(first, c_.i64(k));
            own.push_back(kept(inst, i, is_inside(i, range)));
            count = ir.CreateAdd(count, own.back()[0]);
        }
        const Team::Prefixes counts = team->scan({count}, {c_.i64(0)}, add);
        llvm::Value* at = ir.CreateAdd(carried[0], counts.before[0]);
        for (std::size_t k = 0; writes && k < own.size(); at = ir.CreateAdd(at, own[k++][0])) move(inst, own[k], at);
        carried[0] = ir.CreateAdd(carried[0], counts.total[0]);
    });
    return carried[0];
}

/// Stores the values of an element if it is kept.
void Loops::move(const Inst& inst, const Few& values, llvm::Value* at) {
    Few none;
    c_.when(ir.CreateIsNotNull(values[0]), none, [&] {
        for (std::size_t k = 1; k < values.size(); ++k) e_.store_element(inst.bits + k - 1, at, values[k]);
    });
}

Values Loops::compact(const Inst& inst) {
    if (chunk.loop != &inst) return {e_.index(compact_range(inst, elements(inst, 1), c_.i64(0), true))};
    if (chunk.role == Role::finish) return load_states(chunk.befores, chunk.count);
    if (chunk.role == Role::partial) {
        const Values count{e_.index(compact_range(inst, elements(inst, 1), c_.i64(0), false))};
        by_first([&] { store_states(chunk.partials, chunk.index, count); });
    } else if (chunk.role == Role::chain) {
        chain_counts();
    } else {
        compact_range(inst, elements(inst, 1), load_states(chunk.befores, chunk.index)[0].scalars[0], true);
    }
    leave_point();
    return {e_.index(c_.i64(0))};
}

void Loops::chain_counts() {
    auto add = [&](const Few& a, const Few& b) { return Few{ir.CreateAdd(a[0], b[0])}; };
    by_first([&] { store_states(chunk.befores, c_.i64(0), {e_.index(c_.i64(0))}); });
    Few before{c_.i64(0)};
    in_step(chunks(), 1, before, [&](llvm::Value* i) {
        llvm::Value* inside = is_inside(i, chunks());
        const Few own = c_.either(
            inside, [&] { return Few{load_states(chunk.partials, i)[0].scalars[0]}; }, [&] { return Few{c_.i64(0)}; });
        const Team::Prefixes counts = team->scan(own, {c_.i64(0)}, add);
        Few none;
        c_.when(inside, none, [&] {
            llvm::Value* through = ir.CreateAdd(before[0], counts.through[0]);
            store_states(chunk.befores, ir.CreateAdd(i, c_.i64(1)), {e_.index(through)});
        });
        before[0] = ir.CreateAdd(before[0], counts.total[0]);
    });
}

}  // namespace sinter::gpu
