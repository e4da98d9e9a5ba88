// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane loops.
#include "jit/emit/body/emitter.hpp"

#include "support/check.hpp"

#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <utility>

namespace sinter::emit {

using ir::Op;

const schedule::Lanes& Emitter::lanes_of(const Inst& loop) const {
    static const schedule::Lanes none;
    if (!loop_lanes) return none;
    const auto found = loop_lanes->find(&loop);
    check(found != loop_lanes->end(), "every loop has been scheduled");
    return found->second;
}

void Emitter::for_lanes(const LaneLoop& loop, const schedule::Lanes& lanes) {
    if (lanes.together > 1) return one_by_one(loop, lanes.together);
    Few none;
    lane_loop(loop, Lanes(lanes), none, [](Stage, const Values&) {});
}

/// The loop without lanes, some points an iteration, so that its own instructions matter less.
void Emitter::one_by_one(const LaneLoop& loop, std::int64_t together) {
    Few none;
    code_.when(ir.CreateICmpSLT(loop.lo, loop.hi), none, [&] {
        const Prepared prepared = prepare(loop.block, loop.params);
        auto run = [&](llvm::Value* lo, llvm::Value* hi, std::int64_t points) {
            code_.loop(lo, hi, points, none, [&](llvm::Value* first) {
                for (std::int64_t k = 0; k < points; ++k) {
                    llvm::Value* i = k == 0 ? first : ir.CreateNSWAdd(first, code_.i64(k));
                    point(loop, index(i), prepared, Stage::single, [](Stage, const Values&) {});
                }
            });
        };
        llvm::Value* whole = ir.CreateAnd(ir.CreateSub(loop.hi, loop.lo), code_.i64(-together));
        llvm::Value* rest = ir.CreateAdd(loop.lo, whole);
        run(loop.lo, rest, together);
        run(rest, loop.hi, 1);
    });
}

void Emitter::lane_loop(const LaneLoop& loop, const Lanes& lanes, Few& carried, Use use) {
    code_.when(ir.CreateICmpSLT(loop.lo, loop.hi), carried, [&] {
        if (!lanes.vector()) {
            const Prepared prepared = prepare(loop.block, loop.params);
            return rest_of_loop(loop, lanes, true, loop.lo, loop.hi, prepared, carried, use);
        }
        Interior interior{loop.lo, loop.hi};
        const Prepared prepared = prepare(loop.block, loop.params, &interior);
        const bool for_effects = carried.empty() && !chunked.reduce;
        if (for_effects && is_piecewise(loop.block, interior)) return piece_by_piece(loop, lanes, interior, prepared);
        if (interior.idle.empty() || lanes.in_turn) return vectors(loop, lanes, prepared, carried, use);
        if (for_effects && !lanes.covering && is_repeatable(loop.block))
            return between_borders(loop, lanes, interior, prepared);
        // The main loop begins whole vectors behind lo: aligned as lo is.
        llvm::Value* skipped = ir.CreateSub(interior.lo, loop.lo);
        skipped = ir.CreateAnd(ir.CreateAdd(skipped, code_.i64(lanes.width - 1)), code_.i64(-lanes.width));
        llvm::Value* first = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, ir.CreateAdd(loop.lo, skipped), loop.hi);
        const auto outer = std::exchange(idle_, interior.idle);
        llvm::Value* rest = main_vectors(loop, lanes, first, interior.hi, prepared, carried, use);
        idle_ = outer;
        code_.loop(code_.i64(0), code_.i64(2), 1, carried, [&](llvm::Value* piece) {  // before the interior, and behind it
            llvm::Value* before = ir.CreateIsNull(piece);
            llvm::Value* lo = ir.CreateSelect(before, loop.lo, rest);
            llvm::Value* hi = ir.CreateSelect(before, first, loop.hi);
            rest_of_loop(loop, lanes, lanes.single_tail, lo, hi, prepared, carried, use);
        });
    });
}

/// The loop without regard to borders: unrolled vectors, whole vectors, and what is left.
void Emitter::vectors(const LaneLoop& loop, const Lanes& lanes, const Prepared& prepared, Few& carried, Use use) {
    if (lanes.covering) return rest_of_loop(loop, lanes, false, loop.lo, loop.hi, prepared, carried, use);
    llvm::Value* rest = main_vectors(loop, lanes, loop.lo, loop.hi, prepared, carried, use);
    if (!lanes.single_tail && lanes.columns > 1) rest = whole_vectors(loop, lanes, rest, prepared, carried, use);
    rest_of_loop(loop, lanes, lanes.single_tail, rest, loop.hi, prepared, carried, use);
}

/// The unrolled vectors that fit into [lo, hi); returns where they end.
llvm::Value* Emitter::main_vectors(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, llvm::Value* hi,
                                   const Prepared& prepared, Few& carried, Use use) {
    const WithLanes with(code_, lanes);
    const std::int64_t step = lanes.width * lanes.columns;
    llvm::Value* length = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, ir.CreateSub(hi, lo), code_.i64(0));
    llvm::Value* rest = ir.CreateAdd(lo, ir.CreateAnd(length, code_.i64(-step)));
    code_.loop(lo, rest, step, carried, [&](llvm::Value* i) {
        Value index = Value::uniform(Scalar::i64, i, index_bits);
        index.lane_stride = code_.i64(1);
        index.part_stride = code_.i64(lanes.width);
        point(loop, index, prepared, Stage::main, use);
    });
    return rest;
}

/// The vectors that fit between lo and the loop's end; returns what is behind them. Short loops have no other ones.
llvm::Value* Emitter::whole_vectors(const LaneLoop& loop, const Lanes& lanes, llvm::Value* lo, const Prepared& prepared,
                                    Few& carried, Use use) {
    Lanes shape = lanes;
    shape.columns = 1;
    const WithLanes with(code_, shape);
    llvm::Value* length = ir.CreateAnd(ir.CreateSub(loop.hi, lo), code_.i64(-lanes.width));
    llvm::Value* hi = ir.CreateAdd(lo, length);
    code_.loop(lo, hi, lanes.width, carried, [&](llvm::Value* i) {
        Value index = this->index(i);
        index.lane_stride = code_.i64(1);
        index.part_stride = code_.i64(lanes.width);
        point(loop, index, prepared, Stage::whole, use);
    });
    return hi;
}

/// The loop over [lo, hi) one by one, or by vectors under a mask.
void Emitter::rest_of_loop(const LaneLoop& loop, const Lanes& lanes, bool single, llvm::Value* lo, llvm::Value* hi,
                           const Prepared& prepared, Few& carried, Use use) {
    Lanes shape = lanes;
    if (!lanes.covering) shape.columns = 1;
    if (single) {
        shape = Lanes{};
        shape.open = lanes.vector() || chunked.reduce;
    }
    const WithLanes with(code_, shape);
    const std::int64_t step = single ? 1 : lanes.width * shape.columns;
    code_.loop(lo, hi, step, carried, [&](llvm::Value* i) {
        Value index = this->index(i);
        if (!single) {
            llvm::Value* remaining = ir.CreateSub(hi, i);
            code_.lanes.mask = tail_mask(remaining);
            if (lanes.covering) code_.lanes.full = ir.CreateICmpSGE(remaining, code_.i64(step));
            index.lane_stride = code_.i64(1);
            index.part_stride = code_.i64(lanes.width);
        }
        point(loop, index, prepared, single ? Stage::single : Stage::masked, use);
    });
}

/// The first `remaining` lanes of each row.
Few Emitter::tail_mask(llvm::Value* remaining) {
    llvm::Type* lane = ir.getIntNTy(static_cast<unsigned>(code_.lane_bits()));
    Few mask;
    for (int column = 0; column < code_.lanes.columns; ++column) {
        llvm::Value* here = ir.CreateSub(remaining, code_.i64(column * code_.lanes.width));
        llvm::Value* count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, here, code_.i64(code_.lanes.width));
        if (column > 0) count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, code_.i64(0));
        count = ir.CreateTrunc(count, lane);
        mask.push_back(code_.wide(ir.CreateICmpSLT(code_.lane_numbers(lane), code_.splat(count))));
    }
    for (int row = 1; row < code_.lanes.rows; ++row)
        for (int column = 0; column < code_.lanes.columns; ++column) mask.push_back(mask[static_cast<std::size_t>(column)]);
    return mask;
}

/// One execution of the block. A tile that makes partial results leaves it after storing them.
void Emitter::point(const LaneLoop& loop, const Value& index, const Prepared& prepared, Stage stage, Use use) {
    Values params = loop.params;
    params.push_back(index);
    const bool leaves = chunked.reduce && chunked.lanes_on_points && &loop.block == &kernel_.body;
    if (leaves) chunked.point_done = code_.block();
    use(stage, block(loop.block, params, &prepared));
    if (!leaves) return;
    ir.CreateBr(chunked.point_done);
    code_.enter(chunked.point_done);
}

/// Emits, outside the lane loop, what does not depend on the lane. The loop is executed at least once when this is.
/// Narrows `interior`, where given.
Prepared Emitter::prepare(const Block& b, const Values& params, Interior* interior, std::size_t behind) {
    const std::size_t base = env_.size();
    env_.insert(env_.end(), params.begin(), params.end());
    Value lane = Value{};
    if (interior) {
        lane = index(code_.i64(0));
        lane.lane_stride = lane.part_stride = code_.i64(1);
    }
    env_.push_back(lane);
    env_.resize(env_.size() + behind);
    Prepared prepared;
    for (const Inst& inst : b.insts) {
        const bool effect = ir::has_effect(inst.op) || &inst == chunked.reduce;
        std::optional<Values> results;
        if (!effect && is_known(inst)) results = emit(inst);
        Values pushed = results ? *results : Values(inst.types.size(), Value{});
        if (!results && interior && inst.types.size() == 1 && (inst.type() == Scalar::i64 || inst.op == Op::inside))
            if (auto affine = at_lane_zero(inst, *interior)) pushed[0] = *affine;
        if (!results && interior) note_turn(inst, prepared.size(), *interior);
        env_.insert(env_.end(), pushed.begin(), pushed.end());
        prepared.push_back(std::move(results));
    }
    env_.resize(base);
    return prepared;
}

/// The affine result of index arithmetic, its scalar being that for index 0. A clamp or check of an index narrows the
/// interior such that it does nothing there.
std::optional<Value> Emitter::at_lane_zero(const Inst& inst, Interior& interior) {
    for (ir::Local l : inst.operands)
        if (env_[l.index].is_unknown() || env_[l.index].is_varying() || env_[l.index].scalars.size() > 1)
            return std::nullopt;
    if (inst.op == Op::add || inst.op == Op::sub || inst.op == Op::negate || inst.op == Op::mul) {
        auto result = index_arithmetic(inst);
        return result && result->is_affine() ? result : std::nullopt;
    }
    const bool indexes = inst.op == Op::check_index || inst.op == Op::inside || ir::is_continuation(inst.op);
    if (inst.op != Op::minimum && inst.op != Op::maximum && !indexes) return std::nullopt;
    const bool first = operand(inst, 0).is_affine();
    const Value& x = operand(inst, first ? 0 : 1);
    const Value& bound = operand(inst, first ? 1 : 0);
    auto* stride = llvm::dyn_cast_or_null<llvm::ConstantInt>(x.lane_stride);
    if (!stride || !stride->isOne() || !bound.is_uniform() || x.bits > 61 || bound.bits > 61) return std::nullopt;
    if (indexes && !first) return std::nullopt;
    auto at_least = [&](llvm::Value* value) {  // x >= value
        interior.lo = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, interior.lo, ir.CreateSub(value, x.scalars[0]));
    };
    auto below = [&](llvm::Value* value) {  // x < value
        interior.hi = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, interior.hi, ir.CreateSub(value, x.scalars[0]));
    };
    if (inst.op == Op::maximum) at_least(bound.scalars[0]);
    if (inst.op == Op::minimum) below(ir.CreateAdd(bound.scalars[0], code_.i64(1)));
    if (indexes) at_least(code_.i64(0)), below(bound.scalars[0]);
    interior.idle.insert(&inst);
    if (inst.op == Op::inside) return std::nullopt;  // true in the interior only
    return x;
}

namespace {

/// Whether nothing in `b` depends on what is not known. What a point has stored for itself is not.
bool uses_only(const lower::Kernel& kernel, const Block& b, std::size_t level, llvm::ArrayRef<Value> env) {
    auto known = [&](ir::Local l) { return l.index >= level || env[l.index].is_uniform(); };
    for (const Inst& inst : b.insts) {
        if (!std::all_of(inst.operands.begin(), inst.operands.end(), known)) return false;
        if (ir::has_effect(inst.op)) return false;
        if (inst.op == Op::load && kernel.buffers[inst.bits].local) return false;
        for (const Block& inner : inst.blocks)
            if (!uses_only(kernel, inner, level, env)) return false;
    }
    return std::all_of(b.results.begin(), b.results.end(), known);
}

}  // namespace

/// Whether `inst` can be executed before the lane loop. Control flow must not differ between rows either.
bool Emitter::is_known(const Inst& inst) const {
    if (inst.op == Op::load && kernel_.buffers[inst.bits].local) return false;
    for (ir::Local l : inst.operands)
        if (env_[l.index].is_affine() || (inst.blocks.empty() ? env_[l.index].is_unknown() : !env_[l.index].is_uniform()))
            return false;
    for (const Block& inner : inst.blocks)
        if (!uses_only(kernel_, inner, env_.size(), env_)) return false;
    return true;
}

}  // namespace sinter::emit
