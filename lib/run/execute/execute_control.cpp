// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/entry.hpp"
#include "run/execute/execution.hpp"
#include "run/execute/sort.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::runtime {

void Execution::sort(const SortStep& step, const BodyPlan& plan, Frame& frame) const {
    std::vector<std::int64_t> shape = shape_of(plan.types[step.to.index], frame);
    std::vector<SortColumn> columns;
    for (std::size_t k = 0; k < step.args.size(); ++k) {
        ValueId to(step.to.index + k);
        ir::Scalar scalar = plan.types[to.index].scalar;
        columns.push_back({scalar, frame.find(step.args[k]).data, allocate_slot(frame.own(to), scalar, shape, {})});
    }
    if (ir::sizes::product(shape) == 0) return;
    const std::int64_t rows = ir::sizes::product(std::span(shape).first(shape.size() - 1));
    if (plan_.backend->sort(columns, step.keys, step.descending, rows, shape.back())) return;
    plan_.backend->finish();
    try {
        sort_rows(columns, step.keys, step.descending, rows, shape.back(), call_.threads);
    } catch (const std::bad_alloc&) {
        throw_short_of_memory("sort", call_.where);
    }
}

void Execution::call(const ForeignStep& step, const BodyPlan& plan, Frame& frame) const {
    std::vector<ForeignArray> args;
    for (ValueId id : step.args) {
        const Type& type = plan.types[id.index];
        const Slot& slot = frame.find(id);
        args.push_back({type.scalar, shape_of(type, frame), slot.owner ? slot.owner : scalar_copy(slot, type.scalar)});
    }
    plan_.backend->finish();
    std::vector<ForeignArray> made = call_.functions[step.function]->call(args);
    std::size_t next = step.to.index;
    for (const ForeignArray& array : made)
        for (std::int64_t extent : array.shape) set_number(frame.own(ValueId(next++)), extent);
    for (ForeignArray& array : made) {
        void* data = array.buffer->data;
        frame.own(ValueId(next++)) = {data, std::move(array.buffer)};
    }
    check(next == step.to.index + step.results, "a foreign function returns what it was declared to");
}

BufferRef Execution::scalar_copy(const Slot& slot, ir::Scalar scalar) {
    BufferRef copy = allocate(static_cast<std::size_t>(detail::size_of(scalar)));
    std::memcpy(copy->data, slot.data, copy->bytes);
    return copy;
}

void Execution::alias(const std::vector<ValueId>& from, ValueId to, Frame& frame) {
    for (std::size_t k = 0; k < from.size(); ++k) frame.own(ValueId(to.index + k)) = frame.find(from[k]);
}

bool Execution::truth(ValueId id, const Frame& frame) const {
    unsigned char v = 0;
    plan_.backend->read(&v, frame.find(id).data, sizeof v);
    return v != 0;
}

void Execution::branch(const CondStep& step, Frame& frame) const {
    const BodyPlan& body = truth(step.condition, frame) ? *step.then : *step.otherwise;
    Frame inner(&frame, body);
    run_steps(body, inner);
    for (std::size_t k = 0; k < body.results.size(); ++k) {
        frame.own(ValueId(step.to.index + k)) = inner.find(body.results[k]);
    }
}

void Execution::loop(const LoopStep& step, Frame& frame) const {
    if (loop_ahead(step, frame) || loop_bound(step, frame)) return;
    States states{extents(step.first, frame), {}};
    for (ValueId id : step.inits) states.slots.push_back(frame.find(id));
    const std::int64_t count = step.count ? number(frame.find(*step.count).data) : 0;
    for (std::int64_t i = 0; step.count ? i < count : holds(*step.condition, states, frame); ++i) {
        Frame inner(&frame, *step.body);
        if (step.count) inner.slots[0] = {&i, nullptr};
        states.enter(inner, step.count ? 1 : 0);
        // The frame owns the old states now: they die at their last use, and the pool hands their memory to the new
        // ones.
        std::fill(states.slots.begin(), states.slots.end(), Slot{});
        run_steps(*step.body, inner);
        for (std::size_t k = 0; k < states.slots.size(); ++k) states.slots[k] = inner.find(step.body->results[k]);
        states.extents = extents(step.next, inner);
    }
    std::size_t next = step.to.index;
    for (std::int64_t extent : states.extents) set_number(frame.own(ValueId(next++)), extent);
    for (Slot& slot : states.slots) frame.own(ValueId(next++)) = std::move(slot);
}

bool Execution::holds(const BodyPlan& condition, States& states, Frame& frame) const {
    Frame inner(&frame, condition);
    states.enter(inner, 0);
    run_steps(condition, inner);
    return truth(condition.results[0], inner);
}

std::vector<std::int64_t> Execution::extents(const std::vector<SizeId>& sizes, const Frame& frame) const {
    std::vector<std::int64_t> values;
    for (SizeId id : sizes) values.push_back(size(id, frame));
    return values;
}

void Execution::set_number(Slot& slot, std::int64_t value) const {
    allocate_slot(slot, ir::Scalar::i64, {}, {});
    plan_.backend->finish();
    std::memcpy(slot.data, &value, sizeof value);
}

}  // namespace sinter::runtime
