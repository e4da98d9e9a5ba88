// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/lane_loops.hpp"

#include "schedule/tuning.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::emit {

namespace {

/// So many vectors at the beginning of a loop reach the constants with which its body compares the index; 0 if these are
/// few, or far.
std::size_t first_vectors(const LaneLoop& loop, const Lanes& lanes, const Interior& interior) {
    if (lanes.single_tail) return 0;  // the last of these vectors is one under a mask
    std::size_t picks = 0, vectors = 0;
    for (const Turn& turn : interior.turns) {
        const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(turn.index.scalars[0]);
        const auto* bound = llvm::dyn_cast<llvm::ConstantInt>(turn.bound.scalars[0]);
        const ir::Op op = loop.block.insts[turn.inst].op;
        if (op != ir::Op::equal && op != ir::Op::not_equal) continue;
        if (!lane || !lane->isZero() || !bound || bound->isNegative()) continue;
        ++picks;
        vectors =
            std::max(vectors, static_cast<std::size_t>(bound->getZExtValue()) / static_cast<std::size_t>(lanes.width) + 1);
    }
    return picks >= schedule::tuning::least_picks && vectors <= schedule::tuning::most_first_vectors ? vectors : 0;
}

}  // namespace

const schedule::Lanes& LaneLoops::lanes_of(const Inst& loop) const {
    static const schedule::Lanes none;
    if (!of_loops_) return none;
    const auto found = of_loops_->find(&loop);
    check(found != of_loops_->end(), "every loop has been scheduled");
    return found->second;
}

void LaneLoops::for_effects(const LaneLoop& loop, const schedule::Lanes& lanes) {
    if (lanes.together > 1) return one_by_one(loop, lanes.together);
    Few none;
    emit(loop, Lanes(lanes), none, [](Stage, const Values&) {}, lanes.borders);
}

/// The loop without lanes, with several points per iteration, so that its own instructions matter less.
void LaneLoops::one_by_one(const LaneLoop& loop, std::int64_t together) {
    Few none;
    code_.when(ir.CreateICmpSLT(loop.lo, loop.hi), none, [&] {
        const Prepared prepared = invariants_.prepare(loop.block, loop.params);
        auto run = [&](llvm::Value* lo, llvm::Value* hi, std::int64_t points) {
            code_.loop(lo, hi, points, none, [&](llvm::Value* first) {
                for (std::int64_t k = 0; k < points; ++k) {
                    llvm::Value* i = k == 0 ? first : ir.CreateNSWAdd(first, code_.i64(k));
                    vectors_.point(loop, Value::index(i), prepared, Stage::single, [](Stage, const Values&) {});
                }
            });
        };
        llvm::Value* whole = ir.CreateAnd(ir.CreateSub(loop.hi, loop.lo), code_.i64(-together));
        llvm::Value* rest = ir.CreateAdd(loop.lo, whole);
        run(loop.lo, rest, together);
        run(rest, loop.hi, 1);
    });
}

void LaneLoops::emit(const LaneLoop& loop, const Lanes& lanes, Few& carried, Use use, schedule::Borders borders) {
    code_.when(ir.CreateICmpSLT(loop.lo, loop.hi), carried, [&] {
        if (!lanes.vector()) {
            const Prepared prepared = invariants_.prepare(loop.block, loop.params);
            return vectors_.rest(loop, lanes, true, loop.lo, loop.hi, prepared, carried, use);
        }
        Interior interior{loop.lo, loop.hi};
        const Prepared prepared = invariants_.prepare(loop.block, loop.params, &interior);
        const std::size_t first = carried.empty() && !lanes.in_turn ? first_vectors(loop, lanes, interior) : 0;
        if (first == 0) return with_lanes(loop, lanes, interior, prepared, carried, use, borders);
        LaneLoop behind = loop;
        behind.lo = vectors_.first(loop, lanes, first, prepared, use);
        interior.lo = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, interior.lo, behind.lo);
        code_.when(ir.CreateICmpSLT(behind.lo, behind.hi), carried,
                   [&] { with_lanes(behind, lanes, interior, prepared, carried, use, borders); });
    });
}

/// The loop, which has an index at least.
void LaneLoops::with_lanes(const LaneLoop& loop, const Lanes& lanes, const Interior& interior, const Prepared& prepared,
                           Few& carried, Use use, schedule::Borders borders) {
    if (borders == schedule::Borders::pieces) return pieces_.emit(loop, lanes, interior, prepared);
    if (interior.idle.empty()) return vectors_.all(loop, lanes, prepared, carried, use);
    if (lanes.in_turn) return borders_.in_turn(loop, lanes, interior, prepared, carried, use);
    // Where loops inside reach far beyond an end, much is at the border: too much for one by one.
    if (borders == schedule::Borders::overlapping && !interior.of_steps)
        return borders_.overlapping(loop, lanes, interior, prepared);
    // The main loop begins at a multiple of a vector, as rows do: there, arrays are aligned. What is folded goes to the same
    // lanes wherever a chunk begins.
    auto up = [&](llvm::Value* i) {
        return ir.CreateAnd(ir.CreateAdd(i, code_.i64(lanes.width - 1)), code_.i64(-lanes.width));
    };
    // Not beyond the end, from where rounding up might go beyond all numbers.
    llvm::Value* first = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, interior.lo, loop.hi);
    first = carried.empty() ? up(first) : ir.CreateAdd(loop.lo, up(ir.CreateSub(first, loop.lo)));
    first = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, first, loop.hi);
    llvm::Value* rest = nullptr;
    {
        const Blocks::WithIdle with(blocks_, interior.idle);
        rest = vectors_.main(loop, lanes, first, interior.hi, prepared, carried, use);
    }
    code_.loop(code_.i64(0), code_.i64(2), 1, carried, [&](llvm::Value* piece) {  // before the interior, and after it
        llvm::Value* before = ir.CreateIsNull(piece);
        llvm::Value* lo = ir.CreateSelect(before, loop.lo, rest);
        llvm::Value* hi = ir.CreateSelect(before, first, loop.hi);
        vectors_.rest(loop, lanes, lanes.single_tail, lo, hi, prepared, carried, use);
    });
}

}  // namespace sinter::emit
