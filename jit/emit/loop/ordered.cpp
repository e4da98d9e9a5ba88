// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce whose operator is not commutative: every lane folds a contiguous block in order, then the lanes are combined from
// left to right. Blocks are loaded several elements at a time and transposed (load_transposed).
#include "jit/emit/loop/reduce.hpp"

namespace sinter::emit {

Values Reduction::ordered(Lanes lanes) {
    lanes.columns = 4;
    Few carried = pack(nothing());
    carried.push_back(ir.getFalse());
    Values indices;
    outer_loops(rank_ - 1, indices, carried, [&] { ordered_row(lanes, indices, carried); });
    llvm::Value* has = carried.pop_back_val();
    return complete(unpack(carried, 1), has);
}

/// Appends one row: lanes fold blocks of equal length, a multiple of the columns; the few elements left are folded singly.
void Reduction::ordered_row(const Lanes& lanes, const Values& indices, Few& carried) {
    llvm::Value *first = lo(rank_ - 1), *end = hi(rank_ - 1);
    const std::int64_t step = lanes.width * lanes.columns;
    llvm::Value* length = ir.CreateMul(ir.CreateSDiv(ir.CreateSub(end, first), c_.i64(step)), c_.i64(lanes.columns));
    auto append_scalar = [&](const Values& element) {
        llvm::Value* has = carried.pop_back_val();
        carried = pack(append(has, unpack(carried, 1), element));
        carried.push_back(ir.getTrue());
    };
    c_.when(ir.CreateICmpSLT(first, end), carried, [&] {
        const Prepared prepared = e_.prepare(inst_.blocks[0], indices);
        c_.when(ir.CreateICmpSGT(length, c_.i64(0)), carried,
                [&] { append_scalar(fold_blocks(lanes, indices, prepared, first, length)); });
        llvm::Value* rest = ir.CreateAdd(first, ir.CreateMul(length, c_.i64(lanes.width)));
        c_.loop(rest, end, 1, carried, [&](llvm::Value* i) {
            Values params = indices;
            params.push_back(e_.index(i));
            append_scalar(e_.block(inst_.blocks[0], params, &prepared));
        });
    });
}

Values Reduction::fold_blocks(const Lanes& lanes, const Values& indices, const Prepared& prepared, llvm::Value* first,
                              llvm::Value* length) {
    Lanes one = lanes;
    one.columns = 1;
    Few variables;
    {
        const WithLanes with(c_, one);
        variables = pack(varying(nothing()));
    }
    c_.loop(c_.i64(0), length, lanes.columns, variables, [&](llvm::Value* t) {
        Values params = indices;
        Value index = e_.index(ir.CreateAdd(first, t));
        index.lane_stride = length;
        index.part_stride = c_.i64(1);
        params.push_back(index);
        Values elements;
        {
            const WithLanes with(c_, lanes);
            elements = varying(e_.block(inst_.blocks[0], params, &prepared));
        }
        const WithLanes with(c_, one);
        for (std::size_t column = 0; column < static_cast<std::size_t>(lanes.columns); ++column) {
            Values element;
            for (const Value& v : elements) element.push_back(Value::varying(v.type, {v.parts[column]}));
            llvm::Value* has = column == 0 ? ir.CreateIsNotNull(t) : nullptr;
            const Values acc = unpack(variables, 1);
            variables = pack(varying(has ? append(has, acc, element) : combine(acc, element)));
        }
    });
    const WithLanes with(c_, one);
    return combine_all_lanes(unpack(variables, 1), lanes.width);
}

/// All lanes combined from left to right, neighbours first. All are there.
Values Reduction::combine_all_lanes(Values all, int width) {
    for (int w = width / 2; w >= 1; w /= 2) {
        Lanes lanes;
        lanes.width = w;
        const WithLanes with(c_, lanes);
        Values even, odd;
        for (const Value& v : all) {
            even.push_back(lanes_of(v, 0, 2));
            odd.push_back(lanes_of(v, 1, 2));
        }
        all = combine(even, odd);
    }
    return all;
}

}  // namespace sinter::emit
