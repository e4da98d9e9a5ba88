// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/borders.hpp"

namespace sinter::emit {

void Borders::overlapping(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared) {
    auto execute = [&](const Lanes& shape, llvm::Value* i) {
        const WithLanes with(code_, shape);
        const Value at = shape.vector() ? code_.lane_index(i) : Value::index(i);
        vectors_.point(loop, at, prepared, Stage::main, [](Stage, const Values&) {});
    };
    Few none;
    llvm::Value* length = ir.CreateSub(interior.hi, interior.lo);
    llvm::Value* fits = ir.CreateICmpSGE(length, code_.i64(lanes.width));
    llvm::Value* begin = ir.CreateSelect(fits, interior.lo, loop.hi);
    llvm::Value* end = ir.CreateSelect(fits, interior.hi, loop.hi);
    code_.loop(code_.i64(0), code_.i64(2), 1, none, [&](llvm::Value* side) {
        Lanes single;
        single.open = true;
        llvm::Value* before = ir.CreateIsNull(side);
        llvm::Value *from = ir.CreateSelect(before, loop.lo, end), *to = ir.CreateSelect(before, begin, loop.hi);
        code_.loop(from, to, 1, none, [&](llvm::Value* i) { execute(single, i); });
    });
    code_.when(fits, none, [&] {
        const Blocks::WithIdle with(blocks_, interior.idle);
        const std::int64_t width = lanes.width, step = width * lanes.columns;
        llvm::Value* skipped = ir.CreateAdd(ir.CreateSub(interior.lo, loop.lo), code_.i64(width - 1));
        llvm::Value* first = ir.CreateAdd(loop.lo, ir.CreateAnd(skipped, code_.i64(-width)));  // aligned like lo
        llvm::Value* rest = ir.CreateAdd(first, ir.CreateAnd(ir.CreateSub(interior.hi, first), code_.i64(-step)));
        code_.loop(first, rest, step, none, [&](llvm::Value* i) { execute(lanes, i); });
        Lanes whole = lanes;
        whole.columns = 1;
        llvm::Value* aligned = ir.CreateICmpEQ(first, interior.lo);
        llvm::Value* from = ir.CreateSelect(aligned, rest, ir.CreateSub(rest, code_.i64(width)));
        llvm::Value* last = ir.CreateSub(interior.hi, code_.i64(width));
        code_.loop(from, interior.hi, width, none, [&](llvm::Value* i) {
            llvm::Value* inside = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last);
            execute(whole, ir.CreateSelect(ir.CreateICmpSLT(i, rest), interior.lo, inside));
        });
    });
}

void Borders::in_turn(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared,
                      Few& carried, Use use) {
    vectors_.all(loop, lanes, prepared, carried, use,
                 [&](llvm::Value* lo, llvm::Value* hi, std::int64_t step, Few& state, Vectors::Vector vector) {
                     in_order(lo, hi, step, interior, state, vector);
                 });
}

void Borders::in_order(llvm::Value* lo, llvm::Value* hi, std::int64_t width, const Interior& interior, Few& carried,
                       llvm::function_ref<void(llvm::Value*)> vector) {
    if (interior.idle.empty()) return code_.loop(lo, hi, width, carried, vector);
    auto clamp = [&](llvm::Value* i, llvm::Value* low) {
        i = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, i, low);
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, hi);
    };
    auto whole = [&](llvm::Value* length) { return ir.CreateAnd(length, code_.i64(-width)); };
    llvm::Value* border = ir.CreateAdd(ir.CreateSub(clamp(interior.lo, lo), lo), code_.i64(width - 1));
    llvm::Value* begin = ir.CreateAdd(lo, whole(border));
    llvm::Value* end = ir.CreateAdd(begin, whole(ir.CreateSub(clamp(interior.hi, begin), begin)));
    code_.loop(code_.i64(0), code_.i64(2), 1, carried, [&](llvm::Value* side) {
        llvm::Value* before = ir.CreateIsNull(side);
        llvm::Value *from = ir.CreateSelect(before, lo, end), *to = ir.CreateSelect(before, begin, hi);
        code_.loop(from, to, width, carried, vector);
        const Blocks::WithIdle with(blocks_, interior.idle);
        code_.loop(ir.CreateSelect(before, begin, end), end, width, carried, vector);
    });
}

}  // namespace sinter::emit
