// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/sequential_loops.hpp"

#include "jit/emit/lanes/strips.hpp"
#include "jit/emit/loop/divergent_loop.hpp"
#include "jit/emit/loop/unchecked_steps.hpp"
#include "schedule/tuning.hpp"

namespace sinter::emit {

using schedule::States;

Values SequentialLoops::while_loop(const Inst& inst) {
    const States states = blocks_.states_of(inst);
    return states.diverge ? divergent_loop(blocks_, inst, states.vary) : uniform_while(inst, states.vary);
}

Values SequentialLoops::for_loop(const Inst& inst) {
    const States states = blocks_.states_of(inst);
    if (states.diverge) return divergent_loop(blocks_, inst, states.vary);
    if (const schedule::Strips* strips = rows_.strips_of(inst))
        return loop_in_strips(blocks_, memory_, rows_, lanes_, inst, states.vary, *strips);
    return uniform_for(inst, states.vary);
}

Values SequentialLoops::uniform_while(const Inst& inst, const std::vector<bool>& vary) {
    Values like;
    for (std::size_t k = 0; k < inst.operands.size(); ++k)
        like.push_back(as_variable(code_, scope_.operand(inst, k), vary[k]));
    Few variables = flatten(code_, like);
    code_.loop_from_top(
        variables,
        [&] {
            const Values c = blocks_.block(inst.blocks[0], unflatten(code_, like, variables));
            return c[0].scalars[0];
        },
        [&] {
            const Values next = blocks_.block(inst.blocks[1], unflatten(code_, like, variables));
            variables = flatten(code_, as_variables(code_, next, vary));
        });
    return unflatten(code_, like, variables);
}

Values SequentialLoops::uniform_for(const Inst& inst, const std::vector<bool>& vary) {
    Values like;
    for (std::size_t k = 1; k < inst.operands.size(); ++k)
        like.push_back(as_variable(code_, scope_.operand(inst, k), vary[k - 1]));
    Few variables = flatten(code_, like);
    const auto step = [&](llvm::Value* i) {
        Values params{Value::index(i)};
        params.append(unflatten(code_, like, variables));
        variables = flatten(code_, as_variables(code_, blocks_.block(inst.blocks[0], params), vary));
    };
    llvm::Value* const count = scope_.operand(inst, 0).scalars[0];
    const std::optional<UncheckedSteps> unchecked = checks_before_ ? unchecked_steps(blocks_, inst) : std::nullopt;
    {
        std::optional<Blocks::WithIdle> known;
        if (unchecked) known.emplace(blocks_, unchecked->idle);
        code_.loop(code_.i64(0), unchecked ? unchecked->count : count, 1, variables, [&](llvm::Value* i) {
            fetch(inst, i);
            step(i);
        });
    }
    const Few last = variables;
    if (unchecked) leave_if(code_.ir.CreateICmpSLT(unchecked->count, count), [&] { step(unchecked->count); });
    return unflatten(code_, like, last);
}

/// A step of which a check fails.
void SequentialLoops::leave_if(llvm::Value* fails, llvm::function_ref<void()> step) {
    Few none;
    code_.when(
        fails, none,
        [&] {
            step();
            code_.ir.CreateBr(code_.leave());
            code_.enter(code_.block());  // never reached
        },
        false);
}

/// Fetches the lines of a later step, which need not exist.
void SequentialLoops::fetch(const Inst& loop, llvm::Value* step) {
    if (!ahead_ || !code_.lanes.vector()) return;
    const auto found = ahead_->find(&loop);
    if (found == ahead_->end()) return;
    const schedule::FetchedAhead& ahead = found->second;
    const Block& body = loop.blocks[0];
    const Scope::Frame frame(scope_);
    scope_.add(Value::index(code_.add(step, code_.i64(schedule::tuning::steps_ahead))));
    scope_.add_unknown(body.params.size() - 1);
    for (std::size_t k = 0; k < body.insts.size(); ++k) {
        const Inst& inst = body.insts[k];
        if (ahead.loads[k]) memory_.fetch(inst, scope_.operand(inst, 0));
        if (!ahead.offsets[k])
            scope_.add_unknown(inst.types.size());
        else if (inst.op == ir::Op::check_index)
            scope_.add(Value(scope_.operand(inst, 0)));
        else
            scope_.add(blocks_.emit(inst));
    }
}

}  // namespace sinter::emit
