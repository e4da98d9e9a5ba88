// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/vectors.hpp"

#include "jit/emit/code/masks.hpp"

namespace sinter::emit {

namespace {

struct OneLoop {
    Code& code;
    void operator()(llvm::Value* lo, llvm::Value* hi, std::int64_t step, Few& carried, Vectors::Vector vector) const {
        code.loop(lo, hi, step, carried, vector);
    }
};

}  // namespace

void Vectors::all(const LaneLoop& loop, const Lanes& lanes, const Prepared& prepared, Few& carried, Use use) {
    all(loop, lanes, prepared, carried, use, OneLoop{code_});
}

/// Unrolled vectors, whole vectors, and what is left.
void Vectors::all(const LaneLoop& loop, const Lanes& lanes, const Prepared& prepared, Few& carried, Use use, Walk walk) {
    if (lanes.covering) return this->rest(loop, lanes, false, loop.lo, loop.hi, prepared, carried, use);
    llvm::Value* rest = unrolled(loop, lanes, loop.lo, loop.hi, prepared, carried, use, walk);
    if (!lanes.single_tail && lanes.columns > 1) rest = whole(loop, lanes, rest, prepared, carried, use);
    this->rest(loop, lanes, lanes.single_tail, rest, loop.hi, prepared, carried, use);
}

llvm::Value* Vectors::main(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, llvm::Value* hi,
                           const Prepared& prepared, Few& carried, Use use) {
    return unrolled(loop, lanes, lo, hi, prepared, carried, use, OneLoop{code_});
}

/// The unrolled vectors that fit into [lo, hi), in the order of the walk; returns where they end.
llvm::Value* Vectors::unrolled(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, llvm::Value* hi,
                               const Prepared& prepared, Few& carried, Use use, Walk walk) {
    const WithLanes with(code_, lanes);
    const std::int64_t step = lanes.width * lanes.columns;
    llvm::Value* length = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, ir.CreateSub(hi, lo), code_.i64(0));
    llvm::Value* rest = ir.CreateAdd(lo, ir.CreateAnd(length, code_.i64(-step)));
    walk(lo, rest, step, carried, [&](llvm::Value* i) { point(loop, code_.lane_index(i), prepared, Stage::main, use); });
    return rest;
}

/// The vectors that fit between lo and the loop's end; returns what is behind them. Short loops have no other ones.
llvm::Value* Vectors::whole(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, const Prepared& prepared,
                            Few& carried, Use use) {
    Lanes shape = lanes;
    shape.columns = 1;
    const WithLanes with(code_, shape);
    llvm::Value* length = ir.CreateAnd(ir.CreateSub(loop.hi, lo), code_.i64(-lanes.width));
    llvm::Value* hi = ir.CreateAdd(lo, length);
    code_.loop(lo, hi, lanes.width, carried,
               [&](llvm::Value* i) { point(loop, code_.lane_index(i), prepared, Stage::whole, use); });
    return hi;
}

/// The loop over [lo, hi) one by one, or by vectors under a mask.
void Vectors::rest(const LaneLoop& loop, const Lanes& lanes, bool single, llvm::Value* lo, llvm::Value* hi,
                   const Prepared& prepared, Few& carried, Use use) {
    Lanes shape = lanes;
    if (!lanes.covering) shape.columns = 1;
    if (single) {
        shape = Lanes{};
        shape.open = lanes.vector() || chunked_.loop;
    }
    const WithLanes with(code_, shape);
    const std::int64_t step = single ? 1 : lanes.width * shape.columns;
    code_.loop(lo, hi, step, carried, [&](llvm::Value* i) {
        if (!single) {
            llvm::Value* remaining = ir.CreateSub(hi, i);
            code_.lanes.mask = tail_mask(code_, remaining);
            if (lanes.covering) code_.lanes.full = ir.CreateICmpSGE(remaining, code_.i64(step));
        }
        point(loop, single ? Value::index(i) : code_.lane_index(i), prepared, single ? Stage::single : Stage::masked, use);
    });
}

llvm::Value* Vectors::first(const LaneLoop& loop, const Lanes& lanes, std::size_t count, const Prepared& prepared, Use use) {
    Lanes shape = lanes;
    shape.columns = 1;
    shape.covering = false;
    Few none;
    llvm::Value* begins = ir.CreateIsNull(loop.lo);
    code_.when(begins, none, [&] {
        for (std::size_t v = 0; v < count; ++v) {
            llvm::Value* index = code_.i64(static_cast<std::int64_t>(v) * lanes.width);
            llvm::Value* remaining = ir.CreateSub(loop.hi, index);
            code_.when(ir.CreateICmpSGT(remaining, code_.i64(0)), none, [&] {
                const WithLanes with(code_, shape);
                code_.lanes.mask = tail_mask(code_, remaining);
                point(loop, code_.lane_index(index), prepared, Stage::masked, use);
            });
        }
    });
    llvm::Value* end = code_.i64(static_cast<std::int64_t>(count) * lanes.width);
    return ir.CreateSelect(begins, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, loop.hi), loop.lo);
}

/// One execution of the block. A tile that makes partial results leaves it after storing them.
void Vectors::point(const LaneLoop& loop, const Value& index, const Prepared& prepared, Stage stage, Use use) {
    Values params = loop.params;
    params.push_back(index);
    const bool leaves = chunked_.loop && chunked_.lanes_on_points && &loop.block == &blocks_.kernel.body;
    if (leaves) chunked_.point_done = code_.block();
    use(stage, blocks_.block(loop.block, params, &prepared));
    if (!leaves) return;
    ir.CreateBr(chunked_.point_done);
    code_.enter(chunked_.point_done);
}

}  // namespace sinter::emit
