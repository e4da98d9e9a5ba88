// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce whose operator is not commutative: every lane folds a contiguous block in order, then the lanes are combined from
// left to right. Blocks are loaded several elements at a time and transposed (memory/transposition.hpp).
#include "jit/emit/loop/reduction.hpp"

namespace sinter::emit {

namespace {

class Ordered {
  public:
    explicit Ordered(Reduction& reduction) : r_(reduction), op_(reduction.op), c_(reduction.code), ir(reduction.code.ir) {}
    Values run(Lanes lanes);

  private:
    void row(const Lanes& lanes, const Values& indices, Few& carried);
    Values fold_blocks(const Lanes& lanes, const Values& indices, const Prepared& prepared, llvm::Value* first,
                       llvm::Value* length);
    Values combine_all_lanes(Values all, int width);

    Reduction& r_;
    Combiner& op_;
    Code& c_;
    llvm::IRBuilder<>& ir;
};

Values Ordered::run(Lanes lanes) {
    lanes.columns = 4;
    Few carried = op_.pack(op_.nothing());
    carried.push_back(ir.getFalse());
    Values indices;
    r_.nest.outer_loops(r_.nest.rank() - 1, indices, carried, [&] { row(lanes, indices, carried); });
    llvm::Value* has = carried.pop_back_val();
    return r_.complete(op_.unpack(carried, 1), has);
}

/// Appends one row: lanes fold blocks of equal length, which is a multiple of the columns; the few remaining elements are
/// folded singly.
void Ordered::row(const Lanes& lanes, const Values& indices, Few& carried) {
    llvm::Value *first = r_.nest.lo(r_.nest.rank() - 1), *end = r_.nest.hi(r_.nest.rank() - 1);
    const std::int64_t step = lanes.width * lanes.columns;
    llvm::Value* length = ir.CreateMul(ir.CreateSDiv(ir.CreateSub(end, first), c_.i64(step)), c_.i64(lanes.columns));
    auto append_scalar = [&](const Values& element) {
        llvm::Value* has = carried.pop_back_val();
        carried = op_.pack(op_.append(has, op_.unpack(carried, 1), element));
        carried.push_back(ir.getTrue());
    };
    c_.when(ir.CreateICmpSLT(first, end), carried, [&] {
        const Prepared prepared = r_.emitter.lanes.invariants().prepare(r_.inst.blocks[0], indices);
        c_.when(ir.CreateICmpSGT(length, c_.i64(0)), carried,
                [&] { append_scalar(fold_blocks(lanes, indices, prepared, first, length)); });
        llvm::Value* rest = ir.CreateAdd(first, ir.CreateMul(length, c_.i64(lanes.width)));
        c_.loop(rest, end, 1, carried, [&](llvm::Value* i) {
            Values params = indices;
            params.push_back(Value::index(i));
            append_scalar(r_.emitter.block(r_.inst.blocks[0], params, &prepared));
        });
    });
}

Values Ordered::fold_blocks(const Lanes& lanes, const Values& indices, const Prepared& prepared, llvm::Value* first,
                            llvm::Value* length) {
    Lanes one = lanes;
    one.columns = 1;
    Few variables;
    {
        const WithLanes with(c_, one);
        variables = op_.pack(op_.varying(op_.nothing()));
    }
    c_.loop(c_.i64(0), length, lanes.columns, variables, [&](llvm::Value* t) {
        Values params = indices;
        Value index = Value::index(ir.CreateAdd(first, t));
        index.lane_stride = length;
        index.part_stride = c_.i64(1);
        params.push_back(index);
        Values elements;
        {
            const WithLanes with(c_, lanes);
            elements = op_.varying(r_.emitter.block(r_.inst.blocks[0], params, &prepared));
        }
        const WithLanes with(c_, one);
        for (std::size_t column = 0; column < static_cast<std::size_t>(lanes.columns); ++column) {
            Values element;
            for (const Value& v : elements) element.push_back(Value::varying(v.type, {v.parts[column]}));
            llvm::Value* has = column == 0 ? ir.CreateIsNotNull(t) : nullptr;
            const Values acc = op_.unpack(variables, 1);
            variables = op_.pack(op_.varying(has ? op_.append(has, acc, element) : op_.combine(acc, element)));
        }
    });
    const WithLanes with(c_, one);
    return combine_all_lanes(op_.unpack(variables, 1), lanes.width);
}

/// All lanes combined from left to right, neighbours first. All of them are present.
Values Ordered::combine_all_lanes(Values all, int width) {
    for (int w = width / 2; w >= 1; w /= 2) {
        Lanes lanes;
        lanes.width = w;
        const WithLanes with(c_, lanes);
        Values even, odd;
        for (const Value& v : all) {
            even.push_back(op_.lanes_of(v, 0, 2));
            odd.push_back(op_.lanes_of(v, 1, 2));
        }
        all = op_.combine(even, odd);
    }
    return all;
}

}  // namespace

Values ordered(Reduction& reduction, Lanes lanes) { return Ordered(reduction).run(lanes); }

}  // namespace sinter::emit
