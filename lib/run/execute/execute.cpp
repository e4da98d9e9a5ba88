// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/execute.hpp"

#include "run/execute/execution.hpp"
#include "run/messages.hpp"
#include "support/match.hpp"

#include <new>

namespace sinter::runtime {

std::vector<Array> Execution::run() {
    for (const ir::Guard* guard : plan_.static_guards)
        check_guard(*guard, sizes_.statics()[guard->left.index], sizes_.statics()[guard->right.index]);
    Frame frame(nullptr, plan_.body);
    for (std::size_t k = 0; k < call_.inputs.size(); ++k) {
        const InputView& input = call_.inputs[k];
        frame.slots[k] = {const_cast<void*>(input.data), nullptr};
        if (input.owner) frame.slots[k] = resident(input.given ? std::move(*input.given) : *input.owner, k);
    }
    run_steps(plan_.body, frame);
    std::vector<Array> results;
    results.reserve(plan_.body.results.size());
    for (ValueId id : plan_.body.results) results.push_back(result(id, frame));
    return results;
}

Slot Execution::resident(BufferRef owner, std::size_t k) const {
    try {
        owner = plan_.backend->resident(owner);
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(plan_.body.types[k].scalar, call_.inputs[k].shape, owner->bytes, call_.where);
    }
    return {owner->data, std::move(owner)};
}

void Execution::check_guard(const ir::Guard& guard, std::int64_t left, std::int64_t right) const {
    if (!ir::sizes::equal(left, right))
        throw_guard_failure(plan_.program.sizes, guard, left, right, site_location(guard.site));
}

std::int64_t Execution::number(const void* data) const {
    std::int64_t v = 0;
    plan_.backend->read(&v, data, sizeof v);
    return v;
}

void Execution::run_steps(const BodyPlan& plan, Frame& frame) const {
    for (const Step& step : plan.steps) {
        check_guards(step.guards, frame);
        match(
            step.action, [&](const KernelStep& s) { launch(s, step.dying, plan, frame); },
            [&](const AliasStep& s) { alias(s.from, s.to, frame); }, [&](const SortStep& s) { sort(s, plan, frame); },
            [&](const ForeignStep& s) { call(s, plan, frame); }, [&](const CondStep& s) { branch(s, frame); },
            [&](const LoopStep& s) { loop(s, frame); });
        for (ValueId id : step.dying) frame.own(id) = {};
    }
    check_guards(plan.final_guards, frame);
}

Array Execution::result(ValueId id, const Frame& frame) const {
    const Type& type = plan_.body.types[id.index];
    const Slot& slot = frame.find(id);
    Array array{slot.owner, shape_of(type, frame)};
    if (!array.buffer) array.buffer = scalar_copy(slot, type.scalar);  // a literal input
    return array;
}

std::vector<std::int64_t> Execution::shape_of(const Type& type, const Frame& frame) const {
    std::vector<std::int64_t> shape;
    shape.reserve(type.shape.size());
    for (SizeId id : type.shape) shape.push_back(size(id, frame));
    return shape;
}

std::vector<Array> execute(const Plan& plan, const Call& call) { return Execution(plan, call).run(); }

}  // namespace sinter::runtime
