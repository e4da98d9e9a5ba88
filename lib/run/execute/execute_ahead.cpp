// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that the device ends by itself. Waiting for every condition would leave it idle after each iteration. Instead
// several iterations are launched at once, 1, 2, 4, .., each guarded by the condition before it: from the first one that is
// false, no kernel does anything. Then all conditions of the batch are read together, and the states before the false one
// are the loop's results.
//
// An iteration that is not wanted writes nothing, so arrays that are updated in place, and memory that a later iteration
// takes over, are still as the last one that is wanted has left them. The states of a batch are kept until its end.
#include "ir/walk.hpp"
#include "run/execute/execution.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"

#include <algorithm>
#include <new>

namespace sinter::runtime {

namespace {

constexpr std::size_t most_iterations = 16;                ///< of a batch
constexpr std::size_t most_bytes = std::size_t{64} << 20;  ///< that a batch may allocate; whoever moves more may wait

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

/// Behind a failed check other values go on than the program's: loops of kernels might never end with them.
bool may_hang(const LoopStep& step) {
    bool checked = false, loops = false;
    each_kernel(step, [&](const lower::Kernel& kernel) {
        checked |= !kernel.checks.empty();
        loops |= contains_loop(kernel.body);
    });
    return checked && loops;
}

/// Whether a kernel of the body writes this result, and so may write it where the device looks.
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

/// The state that is the condition, if it is one.
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

/// What a launch allocates; nothing if it cannot have a guard, or would throw before it begins.
std::optional<std::size_t> Execution::bytes_of_launch(const KernelStep& step, const BodyPlan& plan,
                                                      const Frame& frame) const {
    const lower::Kernel& kernel = step.kernel->kernel;
    auto is_dynamic = [&](SizeId id) { return plan_.dynamic[id.index]; };
    if (std::any_of(step.sizes.begin(), step.sizes.end(), is_dynamic) || find_bad_shape(step, frame)) return std::nullopt;
    Numbers arguments(step.sizes.size()), sizes(kernel.sizes.count());
    for (std::size_t k = 0; k < step.sizes.size(); ++k) arguments[k] = size(step.sizes[k], frame);
    evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
    if (!are_small(kernel, {sizes.data(), sizes.size()}) || reads_empty(kernel, sizes.data())) return std::nullopt;
    if (!step.kernel->code->may_be_guarded(sizes.data())) return std::nullopt;
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < step.outputs.size(); ++k) {
        const Type& type = plan.types[step.outputs[k].index];
        if (std::any_of(type.shape.begin(), type.shape.end(), is_dynamic)) return std::nullopt;
        const std::int64_t room = sizes[kernel.buffers[step.inputs.size() + k].elements.index];
        bytes += std::max(checked_bytes(type.scalar, shape_of(type, frame), call_.where),
                          checked_bytes(type.scalar, {&room, 1}, call_.where));
    }
    return bytes;
}

/// Of a body that does nothing but launch, and whose guards hold.
std::optional<std::size_t> Execution::bytes_of_launches(const BodyPlan& plan, const Frame& frame) const {
    auto holds = [&](const ir::Guard* guard) {
        return !plan_.dynamic[guard->left.index] && !plan_.dynamic[guard->right.index] &&
               ir::sizes::equal(size(guard->left, frame), size(guard->right, frame));
    };
    std::size_t bytes = 0;
    for (const Step& step : plan.steps) {
        if (!std::all_of(step.guards.begin(), step.guards.end(), holds)) return std::nullopt;
        if (std::holds_alternative<AliasStep>(step.action)) continue;
        const auto* launch = std::get_if<KernelStep>(&step.action);
        const auto more = launch ? bytes_of_launch(*launch, plan, frame) : std::nullopt;
        if (!more) return std::nullopt;
        bytes += *more;
    }
    if (!std::all_of(plan.final_guards.begin(), plan.final_guards.end(), holds)) return std::nullopt;
    return bytes;
}

/// How many may be launched at once; 0: none.
std::size_t Execution::iterations_ahead(const LoopStep& step, const Frame& frame) const {
    if (step.count || !step.first.empty() || plan_.backend->immediate() || watched()) return 0;
    if (!writes_flags(step) || may_hang(step)) return 0;
    try {
        const auto condition = bytes_of_launches(*step.condition, frame);
        const auto body = condition ? bytes_of_launches(*step.body, frame) : std::nullopt;
        if (!body) return 0;
        return std::min(most_iterations, most_bytes / std::max<std::size_t>(1, *condition + *body));
    } catch (const Error&) {
        return 0;  // it is the iteration's to throw, if there is one
    }
}

bool Execution::loop_ahead(const LoopStep& step, Frame& frame) const {
    const std::size_t most = iterations_ahead(step, frame);
    if (most == 0) return false;
    std::vector<Slot> states;
    for (ValueId id : step.inits) states.push_back(frame.find(id));
    const auto condition = state_of_condition(step);
    bool begun = condition.has_value();
    bool ended = begun && !truth(step.inits[*condition], frame);
    for (std::size_t count = 1; !ended; count = std::min(2 * count, most), begun = true)
        ended = batch(step, states, count, begun, frame);
    for (std::size_t k = 0; k < states.size(); ++k) frame.own(ValueId(step.to.index + k)) = std::move(states[k]);
    return true;
}

/// `count` iterations that may be wanted; `begun`: the first is. Returns whether the loop has ended.
bool Execution::batch(const LoopStep& step, std::vector<Slot>& states, std::size_t count, bool begun, Frame& frame) const {
    std::size_t checked = 0;
    each_kernel(step, [&](const lower::Kernel& kernel) { checked += kernel.checks.empty() ? 0 : 1; });
    Ahead ahead;
    try {
        ahead.device = plan_.backend->look_ahead(count + 1, checked * (count + 1));
    } catch (const std::bad_alloc&) {
        throw MemoryError("cannot allocate what a loop needs while it runs", call_.where);
    }
    ahead.states.push_back(std::move(states));
    if (!begun) evaluate_ahead(*step.condition, 0, ahead, frame);
    for (std::size_t k = 0; k < count; ++k) {
        ahead.guard = k == 0 && begun ? nullptr : ahead.device->flag(k);
        iterate_ahead(step, k + 1, ahead, frame);
    }
    ahead.device->finish();
    check_ahead(ahead);
    std::size_t done = begun ? 1 : 0;
    while (done <= count && ahead.device->is_set(done)) ++done;
    states = std::move(ahead.states[std::min(done, count)]);
    keep_flags(ahead, count + 1, states);
    return done <= count;
}

void Execution::evaluate_ahead(const BodyPlan& condition, std::size_t flag, Ahead& ahead, Frame& frame) const {
    Frame inner(&frame, condition);
    inner.ahead = &ahead;
    std::copy(ahead.states.back().begin(), ahead.states.back().end(), inner.slots.begin());
    inner.own(condition.results[0]).data = ahead.device->flag(flag);
    run_steps(condition, inner);
}

/// And what says whether the next one is wanted.
void Execution::iterate_ahead(const LoopStep& step, std::size_t flag, Ahead& ahead, Frame& frame) const {
    const auto condition = state_of_condition(step);
    Frame inner(&frame, *step.body);
    inner.ahead = &ahead;
    std::copy(ahead.states.back().begin(), ahead.states.back().end(), inner.slots.begin());
    if (condition) inner.own(step.body->results[*condition]).data = ahead.device->flag(flag);
    run_steps(*step.body, inner);
    std::vector<Slot> next;
    for (ValueId id : step.body->results) next.push_back(inner.find(id));
    ahead.states.push_back(std::move(next));
    if (!condition) evaluate_ahead(*step.condition, flag, ahead, frame);
}

/// States that are flags get memory of their own.
void Execution::keep_flags(const Ahead& ahead, std::size_t flags, std::vector<Slot>& states) const {
    for (Slot& slot : states) {
        const void* from = slot.data;
        bool is_flag = false;
        for (std::size_t k = 0; k < flags; ++k) is_flag |= from == ahead.device->flag(k);
        if (is_flag) plan_.backend->copy(allocate_slot(slot, ir::Scalar::boolean, {}, {}), from, 1);
    }
}

/// The first failure in the order of the program. Launches behind it have gone on with other values; what they say is void.
void Execution::check_ahead(const Ahead& ahead) const {
    for (std::size_t k = 0; k < ahead.checked.size(); ++k) {
        const KernelStep& step = *ahead.checked[k];
        ErrorSlot error;
        if (ahead.device->has_failed(k, error))
            throw_check_failure(step.kernel->kernel.checks[error.check - 1], error, step.sites, plan_.program, call_.sites);
    }
}

}  // namespace sinter::runtime
