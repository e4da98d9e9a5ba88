// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows in blocks (schedule/row_blocks.hpp).
#include "jit/emit/loop/reduce.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <utility>

namespace sinter::emit {

WithColumns::WithColumns(Emitter& emitter, int columns) : e_(emitter), saved_(emitter.env_) {
    e_.code_.lanes.columns = columns;
    for (Value& v : e_.env_) {
        if (v.is_affine()) v.part_stride = e_.code_.i64(0);
        if (v.is_varying()) v.parts = Few(static_cast<std::size_t>(columns), v.parts[0]);
    }
}

WithColumns::~WithColumns() {
    e_.code_.lanes.columns = 1;
    e_.env_ = std::move(saved_);
}

void Emitter::row_groups(const LaneLoop& loop, const RowBlocks& blocks) {
    const Prepared prepared = prepare(loop.block, loop.params);
    Lanes lanes;
    lanes.width = blocks.lanes;
    lanes.open = true;
    const WithLanes with(code_, lanes);
    local_lanes_ = lanes.width;
    const bool was = std::exchange(in_rows_, true);
    strips_ = &blocks.strips;
    Few none;
    llvm::Value* last = ir.CreateSub(loop.hi, code_.i64(lanes.width));
    code_.loop(loop.lo, loop.hi, lanes.width, none, [&](llvm::Value* i) {
        Values params = loop.params;
        params.push_back(index(ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last)));
        params.back().lane_stride = code_.i64(1);
        params.back().part_stride = code_.i64(0);
        block(loop.block, params, &prepared);
    });
    strips_ = nullptr;
    in_rows_ = was;
}

/// Executes the loop's first block for the innermost index in [0, n); `use` gets the results, several columns of them, while
/// the lanes have one.
void Emitter::blocks(const Inst& inst, const Values& outer, Few& carried, llvm::function_ref<void(const Values&)> use) {
    const bool was = std::exchange(in_rows_, false);
    auto run = [&](llvm::Value* lo, llvm::Value* hi, int columns) {
        code_.loop(lo, hi, columns, carried, [&](llvm::Value* i) {
            Values params = outer;
            params.push_back(index(i));
            if (columns > 1) {
                params.back().lane_stride = code_.i64(0);
                params.back().part_stride = code_.i64(1);
            }
            Values results;
            {
                const WithColumns with(*this, columns);
                for (const Value& v : block(inst.blocks[0], params)) results.push_back(code_.make_varying(v));
            }
            use(results);
        });
    };
    llvm::Value* n = operand(inst, lower::loop_rank(inst) - 1).scalars[0];
    llvm::Value* whole = code_.pure({n}, [&] { return ir.CreateAnd(n, code_.i64(-RowBlocks::columns)); });
    run(code_.i64(0), whole, RowBlocks::columns);
    run(whole, n, 1);
    in_rows_ = was;
}

/// The columns of these values, combined from left to right, neighbours first.
Values Reduction::combine_columns(Values all) {
    for (std::size_t n = all[0].parts.size() / 2; n >= 1; n /= 2) {
        Values even, odd;
        for (const Value& v : all) {
            Few sides[2];
            for (std::size_t p = 0; p < 2 * n; ++p) sides[p % 2].push_back(v.parts[p]);
            even.push_back(Value::varying(v.type, sides[0]));
            odd.push_back(Value::varying(v.type, sides[1]));
        }
        const WithColumns with(e_, static_cast<int>(n));
        all = varying(combine(even, odd));
    }
    return all;
}

Values Reduction::in_blocks() {
    Few carried = pack(varying(init()));
    Values indices;
    outer_loops(rank_ - 1, indices, carried, [&] {
        e_.blocks(inst_, indices, carried, [&](const Values& elements) {
            const Values next = combine_columns(elements);
            carried = pack(varying(combine(unpack(carried, 1), next)));
        });
    });
    return unpack(carried, 1);
}

}  // namespace sinter::emit
