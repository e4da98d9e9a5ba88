// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Borders that the loops inside of a lane loop reach: the elements of a window, a[i + j] for all j, are contiguous from lane
// to lane, unless indices that may be outside are clamped or checked one by one. An index that is linear in each counter of
// a loop is least and most where every counter is at one of its ends. What does nothing there does nothing in any step.
#include "jit/emit/lanes/invariants.hpp"
#include "lower/loops.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

/// By instruction: whether it is arithmetic of indices that is linear in each of the counters, which are the first
/// parameters. What clamps or checks an index is, too: where it does nothing, it is the index.
std::vector<bool> linear_in_counters(const Block& body, std::size_t base, std::size_t counters) {
    std::vector<bool> moves(base, false), linear;
    for (std::size_t k = 0; k < body.params.size(); ++k) moves.push_back(k < counters);
    for (const Inst& inst : body.insts) {
        const auto moving =
            std::count_if(inst.operands.begin(), inst.operands.end(), [&](ir::Local l) { return moves[l.index]; });
        const bool sums = inst.op == Op::add || inst.op == Op::sub || inst.op == Op::negate;
        const bool bounds = inst.op == Op::minimum || inst.op == Op::maximum || inst.op == Op::check_index ||
                            inst.op == Op::inside || ir::is_continuation(inst.op);
        const bool is_number = inst.op == Op::constant || inst.op == Op::size;
        const bool is_index = inst.op == Op::inside || (inst.types.size() == 1 && inst.type() == Scalar::i64);
        linear.push_back(is_index && (sums || bounds || is_number || (inst.op == Op::mul && moving < 2)));
        moves.insert(moves.end(), inst.types.size(), moving > 0);
    }
    return linear;
}

bool is_bound(Op op) { return op != Op::add && op != Op::sub && op != Op::negate && op != Op::mul; }

}  // namespace

/// Narrows the interior to the lanes in which a reduce, or a loop with a counter, clamps and checks nothing.
void Invariants::narrow_for_steps(const Inst& loop, Interior& interior) {
    if (loop.op != Op::reduce && loop.op != Op::for_loop) return;
    const Block& body = loop.blocks[0];
    const std::size_t counters = loop.op == Op::for_loop ? 1 : lower::loop_rank(loop);
    if (counters > schedule::tuning::most_counters || body.insts.size() > schedule::tuning::most_in_unchecked_step) return;
    for (std::size_t k = 0; k < counters; ++k)
        if (!scope_.operand(loop, k).is_uniform()) return;
    std::optional<IdleInstructions> idle;
    for (std::size_t corner = 0; corner < std::size_t{1} << counters; ++corner) {
        Values ends;
        for (std::size_t k = 0; k < counters; ++k)
            ends.push_back(Value::index(
                (corner >> k & 1) == 0 ? code_.i64(0) : ir.CreateSub(scope_.operand(loop, k).scalars[0], code_.i64(1))));
        const IdleInstructions here = idle_in_step(body, ends, interior);
        if (here.empty()) return;
        if (!idle) idle = here;
        for (const auto& [inst, what] : IdleInstructions(*idle))
            if (!here.contains(inst)) idle->erase(inst);
    }
    interior.idle.insert(idle->begin(), idle->end());
    interior.of_steps = true;
}

/// What clamps and checks nothing in the step with these counters, in lanes to which it narrows the interior.
IdleInstructions Invariants::idle_in_step(const Block& body, const Values& counters, Interior& interior) {
    const std::vector<bool> linear = linear_in_counters(body, scope_.size(), counters.size());
    const Scope::Frame frame(scope_, counters);
    scope_.add_unknown(body.params.size() - counters.size());
    Interior step{interior.lo, interior.hi};
    for (std::size_t k = 0; k < body.insts.size(); ++k) {
        const Inst& inst = body.insts[k];
        Values results(inst.types.size(), Value{});
        if (linear[k]) {
            if (auto affine = at_lane_zero(inst, step))
                results[0] = *affine;
            else if (is_known(inst) && (!is_bound(inst.op) || inst.operands.empty()))
                results = blocks_.emit(inst);
        }
        scope_.add(results);
    }
    interior.lo = step.lo;
    interior.hi = step.hi;
    return step.idle;
}

}  // namespace sinter::emit
