// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/execute.hpp"

#include "run/execute/cascade/run_cascade.hpp"
#include "run/execute/execution.hpp"
#include "run/execute/host_steps.hpp"
#include "run/execute/loops.hpp"
#include "run/messages.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/launch/share.hpp"
#include "run/ranks/sort/shared_sort.hpp"
#include "support/match.hpp"

#include <new>
#include <utility>

namespace sinter::runtime {

namespace {

/// The site of the operation that a step executes; invalid if the step executes several.
ir::SiteId site_of(const Step& step) {
    return match(
        step.action, [](const KernelStep& s) { return s.sites.empty() ? ir::SiteId() : s.sites.back(); },
        [](const AliasStep&) { return ir::SiteId(); }, [](const SortStep& s) { return s.site; },
        [](const ForeignStep& s) { return s.site; }, [](const CondStep&) { return ir::SiteId(); },
        [](const LoopStep& s) { return s.site; });
}

}  // namespace

std::vector<Array> Execution::run() const {
    context_.check_static_guards();
    if (context_.call.sharing)
        if (const auto other = place_launches(context_.plan, context_.call))
            return Execution(*other, context_.call).run_placed();
    return run_placed();
}

std::vector<Array> Execution::run_placed() const {
    const Plan& plan = context_.plan;
    const Call& call = context_.call;
    Frame frame(nullptr, plan.body);
    for (std::size_t k = 0; k < call.inputs.size(); ++k) {
        const InputView& input = call.inputs[k];
        frame.slots[k] = {const_cast<void*>(input.data), nullptr};
        if (input.owner) frame.slots[k] = resident(input.given ? std::move(*input.given) : *input.owner, k);
    }
    if (call.control) call.control->begin(static_cast<std::int64_t>(plan.body.steps.size()));
    run_steps(plan.body, frame);
    std::vector<Array> results;
    results.reserve(plan.body.results.size());
    for (ValueId id : plan.body.results) results.push_back(result(id, frame));
    return results;
}

void Execution::gather(const std::vector<ValueId>& args, Frame& frame) const {
    if (context_.call.sharing) gather_variables(context_, args, frame);
}

Slot Execution::resident(BufferRef owner, std::size_t k) const {
    if (const SpreadArray* array = spread(owner); array && context_.call.sharing) {
        if (array->copy) return {array->copy->data, array->copy};  // gathered before, so that all ranks have all of it
        context_.call.sharing->used = true;
        return {owner->data, std::move(owner)};
    }
    const Call& call = context_.call;
    try {
        owner = context_.backend().resident(spread(owner) ? owner->fetch() : owner);
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(context_.plan.body.types[k].scalar, call.inputs[k].shape, owner->bytes, call.where,
                            &context_.backend());
    }
    return {owner->data, std::move(owner)};
}

void Execution::run_steps(const BodyPlan& plan, Frame& frame) const {
    RunControl* const control = frame.ahead ? nullptr : context_.call.control;
    CascadesOfBody cascades(*this, plan, frame);
    std::vector<const Step*> postponed;  // those that only allocate: loops that are swept do without
    for (std::size_t k = 0; k < plan.steps.size(); ++k) {
        const Step& step = plan.steps[k];
        if (context_.call.sharing && !std::holds_alternative<AliasStep>(step.action)) context_.call.sharing->settled = false;
        const auto* kernel = std::get_if<KernelStep>(&step.action);
        if (kernel && kernel->needs_only_memory && step.guards.empty() && may_sweep(context_, plan, k + 1, frame)) {
            postponed.push_back(&step);
            continue;
        }
        if (control && control->stops()) throw_stopped(context_.call, site_of(step), context_.plan.program);
        context_.check_guards(step.guards, frame);
        if (std::holds_alternative<LoopStep>(step.action) && run_loops_swept(*this, plan, k, frame)) {
            for (ValueId id : step.dying) frame.own(id) = {};
            if (control && !frame.parent) control->step_done();
            ++k;
        } else if (const std::size_t done = postponed.empty() ? cascades.run(k) : 0) {
            for (const std::size_t last = k + done - 1; k < last; ++k) {
                for (ValueId id : plan.steps[k].dying) frame.own(id) = {};
                if (control && !frame.parent) control->step_done();
            }
        } else {
            for (const Step* before : postponed) run_step(*before, plan, frame);
            run_step(step, plan, frame);
        }
        for (const Step* before : std::exchange(postponed, {})) {
            for (ValueId id : before->dying) frame.own(id) = {};
            if (control && !frame.parent) control->step_done();
        }
        for (ValueId id : plan.steps[k].dying) frame.own(id) = {};
        if (control && !frame.parent) control->step_done();
    }
    context_.check_guards(plan.final_guards, frame);
}

void Execution::run_step(const Step& step, const BodyPlan& plan, Frame& frame) const {
    match(
        step.action, [&](const KernelStep& s) { launcher_.launch(s, step.dying, plan, frame); },
        [&](const AliasStep& s) { run_alias(s, frame); },
        [&](const SortStep& s) {
            if (context_.call.sharing && sort_shared(context_, s, plan, frame)) return;
            gather(s.args, frame);
            run_sort(context_, s, plan, frame);
        },
        [&](const ForeignStep& s) {
            gather(s.args, frame);
            settle(context_.call);
            run_foreign(context_, s, plan, frame);
        },
        [&](const CondStep& s) { branch(s, frame); },
        [&](const LoopStep& s) {
            run_loop(*this, s, step.dying, plan, frame);
            if (context_.call.sharing) context_.call.sharing->settled = false;  // what is left of states may be copied
        });
}

void Execution::branch(const CondStep& step, Frame& frame) const {
    const BodyPlan& body = context_.truth(step.condition, frame) ? *step.then : *step.otherwise;
    Frame inner(&frame, body);
    run_steps(body, inner);
    for (std::size_t k = 0; k < body.results.size(); ++k) {
        frame.own(ValueId(step.to.index + k)) = inner.find(body.results[k]);
    }
}

Array Execution::result(ValueId id, const Frame& frame) const {
    const Type& type = context_.plan.body.types[id.index];
    const Slot& slot = frame.find(id);
    Array array{slot.owner, context_.shape_of(type, frame)};
    if (!array.buffer) array.buffer = scalar_copy(slot, type.scalar);  // the input is a literal
    return array;
}

std::vector<Array> execute(const Plan& plan, const Call& call) { return Execution(plan, call).run(); }

}  // namespace sinter::runtime
