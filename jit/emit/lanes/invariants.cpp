// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/invariants.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;
using schedule::Side;

namespace {

constexpr int small_bits = 61;  ///< differences of numbers with this many bits do not overflow

/// True if nothing in `b` depends on what is not known. What a point has stored for itself is not known.
bool uses_only(const lower::Kernel& kernel, const Block& b, const Scope& scope) {
    auto known = [&](ir::Local l) { return l.index >= scope.size() || scope[l].is_uniform(); };
    for (const Inst& inst : b.insts) {
        if (!std::all_of(inst.operands.begin(), inst.operands.end(), known)) return false;
        if (ir::has_effect(inst.op)) return false;
        if (inst.op == Op::load && kernel.buffers[inst.bits].local) return false;
        for (const Block& inner : inst.blocks)
            if (!uses_only(kernel, inner, scope)) return false;
    }
    return std::all_of(b.results.begin(), b.results.end(), known);
}

}  // namespace

Prepared Invariants::prepare(const Block& b, const Values& params, Interior* interior, std::size_t behind) {
    const Scope::Frame frame(scope_, params);
    Value lane = Value{};
    if (interior) {
        lane = Value::index(code_.i64(0));
        lane.lane_stride = lane.part_stride = code_.i64(1);
    }
    scope_.add(lane);
    scope_.add_unknown(behind);
    Prepared prepared;
    for (const Inst& inst : b.insts) {
        const bool effect = ir::has_effect(inst.op) || chunked_.is(inst);
        std::optional<Values> results;
        if (!effect && is_known(inst)) results = blocks_.emit(inst);
        Values pushed = results ? *results : Values(inst.types.size(), Value{});
        if (!results && interior && inst.types.size() == 1 && (inst.type() == Scalar::i64 || inst.op == Op::inside))
            if (auto affine = at_lane_zero(inst, *interior)) pushed[0] = *affine;
        if (!results && interior) note_turn(inst, prepared.size(), *interior);
        if (!results && interior) narrow_for_steps(inst, *interior);
        scope_.add(pushed);
        prepared.push_back(std::move(results));
    }
    return prepared;
}

/// The affine result of index arithmetic, whose scalar is that for index 0. A clamp or check of an index narrows the
/// interior such that it does nothing there.
std::optional<Value> Invariants::at_lane_zero(const Inst& inst, Interior& interior) {
    for (ir::Local l : inst.operands)
        if (scope_[l].is_unknown() || scope_[l].is_varying() || scope_[l].scalars.size() > 1) return std::nullopt;
    if (inst.op == Op::add || inst.op == Op::sub || inst.op == Op::negate || inst.op == Op::mul) {
        auto result = arithmetic_.of_index(inst, scope_.operands(inst));
        return result && result->is_affine() ? result : std::nullopt;
    }
    const bool indexes = inst.op == Op::check_index || inst.op == Op::inside || ir::is_continuation(inst.op);
    if (inst.op != Op::minimum && inst.op != Op::maximum && !indexes) return std::nullopt;
    const bool first = scope_.operand(inst, 0).is_affine();
    const Value& x = scope_.operand(inst, first ? 0 : 1);
    const Value& bound = scope_.operand(inst, first ? 1 : 0);
    auto* stride = llvm::dyn_cast_or_null<llvm::ConstantInt>(x.lane_stride);
    if (!stride || !stride->isOne() || !bound.is_uniform() || x.bits > 61 || bound.bits > 61) return std::nullopt;
    if (indexes && !first) return std::nullopt;
    if (inst.op == Op::inside && side(inst)) return std::nullopt;
    auto at_least = [&](llvm::Value* value) {  // x >= value
        interior.lo = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, interior.lo, ir.CreateSub(value, x.scalars[0]));
    };
    auto below = [&](llvm::Value* value) {  // x < value
        interior.hi = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, interior.hi, ir.CreateSub(value, x.scalars[0]));
    };
    if (inst.op == Op::maximum) at_least(bound.scalars[0]);
    if (inst.op == Op::minimum) below(ir.CreateAdd(bound.scalars[0], code_.i64(1)));
    if (indexes) at_least(code_.i64(0)), below(bound.scalars[0]);
    interior.idle[&inst] = inst.op == Op::inside ? Idle::holds : Idle::keeps;
    if (inst.op == Op::inside) return std::nullopt;  // true in the interior only
    return x;
}

/// Notes a comparison that changes its result where the index reaches a bound. Operands are in the form in which
/// at_lane_zero() leaves them.
void Invariants::note_turn(const Inst& inst, std::size_t position, Interior& interior) {
    if (!ir::is_comparison(inst.op) && inst.op != Op::inside) return;
    for (ir::Local l : inst.operands)
        if (scope_[l].is_unknown() || scope_[l].is_varying() || scope_[l].scalars.size() > 1) return;
    const std::size_t at = scope_.operand(inst, 0).is_affine() ? 0 : 1;
    const Value& index = scope_.operand(inst, at);
    Value bound = scope_.operand(inst, 1 - at);
    if (!index.is_affine() || !bound.is_uniform() || index.bits > small_bits) return;
    auto* stride = llvm::dyn_cast<llvm::ConstantInt>(index.lane_stride);
    if (!stride || !stride->isOne() || (at == 1 && inst.op == Op::inside)) return;
    if (bound.bits > small_bits) {  // no index reaches that far
        llvm::Value* most = code_.i64(std::int64_t{1} << small_bits);
        llvm::Value* least = code_.i64(-(std::int64_t{1} << small_bits));
        bound.scalars[0] = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, bound.scalars[0], most);
        bound.scalars[0] = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bound.scalars[0], least);
    }
    interior.turns.push_back({position, index, bound, at == 0});
    if (const auto known = side(inst)) narrow(inst, interior.turns.back(), *known, interior);
}

std::optional<Side> Invariants::side(const Inst& inst) const {
    if (!sides_) return std::nullopt;
    const auto found = sides_->find(&inst);
    return found == sides_->end() ? std::nullopt : std::optional(found->second);
}

/// To the indices on this side, where the comparison has one result.
void Invariants::narrow(const Inst& inst, const Turn& turn, Side side, Interior& interior) {
    if (side == Side::mixed) return;
    const Few points = turning_points(ir, inst, turn);
    llvm::Value* from = side == Side::behind ? points.back() : points.front();
    llvm::Value* to = side == Side::before ? points.front() : points.back();
    if (side != Side::before) interior.lo = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, interior.lo, from);
    if (side != Side::behind) interior.hi = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, interior.hi, to);
    const bool first_is_less = (side == Side::before) == turn.index_first;
    const bool holds = inst.op == Op::inside                                    ? side == Side::between
                       : inst.op == Op::less || inst.op == Op::less_equal       ? first_is_less
                       : inst.op == Op::greater || inst.op == Op::greater_equal ? !first_is_less
                                                                                : inst.op == Op::not_equal;
    interior.idle[&inst] = holds ? Idle::holds : Idle::fails;
}

/// True if `inst` can be executed before the lane loop. Control flow must not differ between rows, either.
bool Invariants::is_known(const Inst& inst) const {
    if (inst.op == Op::load && blocks_.kernel.buffers[inst.bits].local) return false;
    for (ir::Local l : inst.operands)
        if (scope_[l].is_affine() || (inst.blocks.empty() ? scope_[l].is_unknown() : !scope_[l].is_uniform())) return false;
    for (const Block& inner : inst.blocks)
        if (!uses_only(blocks_.kernel, inner, scope_)) return false;
    return true;
}

}  // namespace sinter::emit
