// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that the device ends by itself. Waiting for every condition would leave the device idle after each iteration.
// Instead, several iterations are launched at once (1, 2, 4, ...), each guarded by the condition before it: after the first
// condition that is false, no kernel does anything. Then all conditions of the batch are read together, and the states
// before the false one are the results of the loop.
//
// An iteration that is not wanted writes nothing. So arrays that are updated in place, and memory that a later iteration
// takes over, are still as the last wanted iteration left them. The states of a batch are kept until its end.
#include "ir/walk.hpp"
#include "run/execute/ahead.hpp"
#include "run/execute/loops.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "schedule/card/tuning.hpp"

#include <algorithm>
#include <new>

namespace sinter::runtime {

namespace {

using schedule::card::tuning::most_ahead_bytes;
using schedule::card::tuning::most_iterations_ahead;

bool contains_loop(const lower::Block& block) {
    return ir::any_inst(
        block, [](const lower::Inst& inst) { return inst.op == ir::Op::while_loop || inst.op == ir::Op::for_loop; });
}

template <class F>
void each_kernel(const LoopStep& step, F f) {
    for (const BodyPlan* plan : {step.body.get(), step.condition.get()})
        for (const Step& s : plan->steps)
            if (const auto* launch = std::get_if<KernelStep>(&s.action)) f(launch->kernel->kernel);
}

/// After a failed check, kernels continue with other values than those of the program: loops inside them might then never
/// end.
bool may_hang(const LoopStep& step) {
    bool checked = false, loops = false;
    each_kernel(step, [&](const lower::Kernel& kernel) {
        checked |= !kernel.checks.empty();
        loops |= contains_loop(kernel.body);
    });
    return checked && loops;
}

/// True if a kernel of the body writes this result, and so may write it where the device looks.
bool is_written(const BodyPlan& plan, ValueId result) {
    return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
        const auto* launch = std::get_if<KernelStep>(&step.action);
        if (!launch) return false;
        const auto found = std::find(launch->outputs.begin(), launch->outputs.end(), result);
        if (found == launch->outputs.end()) return false;
        const auto output = static_cast<std::size_t>(found - launch->outputs.begin());
        return !launch->kernel->kernel.buffers[launch->inputs.size() + output].dest;
    });
}

/// The number of the state that is the condition, if there is one.
std::optional<std::size_t> state_of_condition(const LoopStep& step) {
    const std::size_t base = step.condition->base, level = step.condition->results[0].index;
    const bool is_state = level >= base && level < base + step.condition->parameters;
    return is_state ? std::optional(level - base) : std::nullopt;
}

bool writes_flags(const LoopStep& step) {
    const auto state = state_of_condition(step);
    return state ? is_written(*step.body, step.body->results[*state])
                 : is_written(*step.condition, step.condition->results[0]);
}

/// The bytes that a launch allocates; nothing if the launch cannot have a guard, or would throw before it begins.
std::optional<std::size_t> bytes_of_launch(const Context& context, const KernelStep& step, const BodyPlan& plan,
                                           const Frame& frame) {
    const lower::Kernel& kernel = step.kernel->kernel;
    auto is_dynamic = [&](SizeId id) { return context.is_dynamic(id); };
    if (std::any_of(step.sizes.begin(), step.sizes.end(), is_dynamic) || find_bad_shape(context, step, frame))
        return std::nullopt;
    Numbers arguments(step.sizes.size()), sizes(kernel.sizes.count());
    for (std::size_t k = 0; k < step.sizes.size(); ++k) arguments[k] = context.size(step.sizes[k], frame);
    evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
    if (!are_small(kernel, {sizes.data(), sizes.size()})) return std::nullopt;
    if (!step.kernel->code->may_be_guarded(sizes.data())) return std::nullopt;
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < step.outputs.size(); ++k) {
        const Type& type = plan.types[step.outputs[k].index];
        if (std::any_of(type.shape.begin(), type.shape.end(), is_dynamic)) return std::nullopt;
        const std::int64_t room = sizes[kernel.buffers[step.inputs.size() + k].elements.index];
        bytes += std::max(checked_bytes(type.scalar, context.shape_of(type, frame), context.call.where),
                          checked_bytes(type.scalar, {&room, 1}, context.call.where));
    }
    return bytes;
}

/// The same for a body that only launches kernels and whose guards hold.
std::optional<std::size_t> bytes_of_launches(const Context& context, const BodyPlan& plan, const Frame& frame) {
    auto holds = [&](const ir::Guard* guard) {
        return !context.is_dynamic(guard->left) && !context.is_dynamic(guard->right) &&
               ir::sizes::equal(context.size(guard->left, frame), context.size(guard->right, frame));
    };
    std::size_t bytes = 0;
    for (const Step& step : plan.steps) {
        if (!std::all_of(step.guards.begin(), step.guards.end(), holds)) return std::nullopt;
        if (std::holds_alternative<AliasStep>(step.action)) continue;
        const auto* launch = std::get_if<KernelStep>(&step.action);
        const auto more = launch ? bytes_of_launch(context, *launch, plan, frame) : std::nullopt;
        if (!more) return std::nullopt;
        bytes += *more;
    }
    if (!std::all_of(plan.final_guards.begin(), plan.final_guards.end(), holds)) return std::nullopt;
    return bytes;
}

/// How many iterations may be launched at once; 0 if none.
std::size_t iterations_ahead(const Context& context, const LoopStep& step, const Frame& frame) {
    if (step.count || !step.first.empty() || context.backend().immediate() || watched()) return 0;
    if (!writes_flags(step) || may_hang(step)) return 0;
    try {
        const auto condition = bytes_of_launches(context, *step.condition, frame);
        const auto body = condition ? bytes_of_launches(context, *step.body, frame) : std::nullopt;
        if (!body) return 0;
        return std::min(most_iterations_ahead, most_ahead_bytes / std::max<std::size_t>(1, *condition + *body));
    } catch (const Error&) {
        return 0;  // if there is an error, the iteration has to throw it
    }
}

/// A loop whose iterations are launched in batches.
class LoopAhead {
  public:
    LoopAhead(const Execution& execution, const LoopStep& step, Frame& frame)
        : execution_(execution), context_(execution.context()), step_(step), frame_(frame) {}

    /// `most`: the largest number of iterations in a batch.
    void run(std::size_t most) {
        for (ValueId id : step_.inits) states_.push_back(frame_.find(id));
        const auto condition = state_of_condition(step_);
        bool begun = condition.has_value();
        std::size_t count = 1;
        bool ended = begun && !context_.truth(step_.inits[*condition], frame_);
        RunControl::Loop control(context_.call.control, 0);
        while (!ended) {
            if (control.stops()) throw_loop_stopped(context_, step_, control, done_);
            ended = batch(count, begun);
            control.done(done_);
            count = std::min(2 * count, most);
            begun = true;
        }
        for (std::size_t k = 0; k < states_.size(); ++k) frame_.own(ValueId(step_.to.index + k)) = std::move(states_[k]);
    }

  private:
    /// Launches `count` iterations that may be wanted; if `begun`, the first of them is wanted. Returns true if the loop has
    /// ended.
    bool batch(std::size_t count, bool begun) {
        std::size_t checked = 0;
        each_kernel(step_, [&](const lower::Kernel& kernel) { checked += kernel.checks.empty() ? 0 : 1; });
        Ahead ahead;
        try {
            ahead.device = context_.backend().look_ahead(count + 1, checked * (count + 1));
        } catch (const std::bad_alloc&) {
            throw MemoryError("cannot allocate what a loop needs while it runs", context_.call.where);
        }
        ahead.states.push_back(std::move(states_));
        if (!begun) evaluate(0, ahead);
        for (std::size_t k = 0; k < count; ++k) {
            ahead.guard = k == 0 && begun ? nullptr : ahead.device->flag(k);
            iterate(k + 1, ahead);
        }
        ahead.device->finish();
        check(ahead);
        std::size_t done = begun ? 1 : 0;
        while (done <= count && ahead.device->is_set(done)) ++done;
        states_ = std::move(ahead.states[std::min(done, count)]);
        done_ += static_cast<std::int64_t>(std::min(done, count));
        keep_flags(ahead, count + 1);
        return done <= count;
    }

    void evaluate(std::size_t flag, Ahead& ahead) {
        const BodyPlan& condition = *step_.condition;
        Frame inner(&frame_, condition);
        inner.ahead = &ahead;
        std::copy(ahead.states.back().begin(), ahead.states.back().end(), inner.slots.begin());
        inner.own(condition.results[0]).data = ahead.device->flag(flag);
        execution_.run_steps(condition, inner);
    }

    /// Launches an iteration and the kernels that compute whether the next one is wanted.
    void iterate(std::size_t flag, Ahead& ahead) {
        const BodyPlan& body = *step_.body;
        const auto condition = state_of_condition(step_);
        Frame inner(&frame_, body);
        inner.ahead = &ahead;
        std::copy(ahead.states.back().begin(), ahead.states.back().end(), inner.slots.begin());
        if (condition) inner.own(body.results[*condition]).data = ahead.device->flag(flag);
        execution_.run_steps(body, inner);
        std::vector<Slot> next;
        for (ValueId id : body.results) next.push_back(inner.find(id));
        ahead.states.push_back(std::move(next));
        if (!condition) evaluate(flag, ahead);
    }

    /// Gives states that are flags memory of their own.
    void keep_flags(const Ahead& ahead, std::size_t flags) {
        for (Slot& slot : states_) {
            const void* from = slot.data;
            bool is_flag = false;
            for (std::size_t k = 0; k < flags; ++k) is_flag |= from == ahead.device->flag(k);
            if (is_flag) context_.copy(context_.allocate(slot, ir::Scalar::boolean, {}, {}), from, 1);
        }
    }

    /// Throws the first failure in the order of the program. Launches after it have continued with other values, and what
    /// they report is meaningless.
    void check(const Ahead& ahead) const {
        for (std::size_t k = 0; k < ahead.checked.size(); ++k) {
            const KernelStep& step = *ahead.checked[k];
            ErrorSlot error;
            if (ahead.device->has_failed(k, error))
                throw_check_failure(step.kernel->kernel.checks[error.check - 1], error, step.sites, context_.plan.program,
                                    context_.call.sites);
        }
    }

    const Execution& execution_;
    const Context& context_;
    const LoopStep& step_;
    Frame& frame_;
    std::vector<Slot> states_;
    std::int64_t done_ = 0;  ///< number of iterations
};

}  // namespace

void Ahead::prepare(const KernelStep& step, Launch& launch) {
    launch.guard = guard;
    if (step.kernel->kernel.checks.empty()) return;
    launch.record = device->record(checked.size());
    checked.push_back(&step);
}

long Ahead::kept(const BufferRef& array) const {
    long count = 0;
    for (const std::vector<Slot>& slots : states)
        count += std::count_if(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.owner == array; });
    return count;
}

bool run_loop_ahead(const Execution& execution, const LoopStep& step, Frame& frame) {
    const std::size_t most = iterations_ahead(execution.context(), step, frame);
    if (most > 0) LoopAhead(execution, step, frame).run(most);
    return most > 0;
}

}  // namespace sinter::runtime
