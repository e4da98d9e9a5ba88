// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/host_steps.hpp"

#include "run/entry.hpp"
#include "run/execute/host_side.hpp"
#include "run/execute/sort.hpp"
#include "run/messages.hpp"
#include "support/check.hpp"

#include <cstring>
#include <new>

namespace sinter::runtime {

namespace {

void sort_on_host(const Context& context, std::vector<SortColumn> columns, const SortStep& step, std::int64_t rows,
                  std::int64_t count) {
    HostSide side(context.backend().remote());
    for (SortColumn& column : columns) {
        const auto bytes = static_cast<std::size_t>(rows * count * detail::size_of(column.scalar));
        column.from = side.to_read(column.from, bytes);
        column.to = side.to_write(column.to, bytes);
    }
    sort_rows(columns, step.keys, step.descending, rows, count, context.call.threads);
    side.finish();
}

}  // namespace

void run_sort(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame) {
    std::vector<std::int64_t> shape = context.shape_of(plan.types[step.to.index], frame);
    std::vector<SortColumn> columns;
    for (std::size_t k = 0; k < step.args.size(); ++k) {
        ValueId to(step.to.index + k);
        ir::Scalar scalar = plan.types[to.index].scalar;
        columns.push_back({scalar, frame.find(step.args[k]).data, context.allocate(frame.own(to), scalar, shape, {})});
    }
    if (ir::sizes::product(shape) == 0) return;
    const std::int64_t rows = ir::sizes::product(std::span(shape).first(shape.size() - 1));
    if (context.backend().sort(columns, step.keys, step.descending, rows, shape.back())) return;
    try {
        sort_on_host(context, columns, step, rows, shape.back());
    } catch (const std::bad_alloc&) {
        throw_short_of_memory("sort", context.call.where);
    }
}

void run_foreign(const Context& context, const ForeignStep& step, const BodyPlan& plan, Frame& frame) {
    std::vector<ForeignArray> args;
    for (ValueId id : step.args) {
        const Type& type = plan.types[id.index];
        const Slot& slot = frame.find(id);
        args.push_back(
            {type.scalar, context.shape_of(type, frame), slot.owner ? on_host(slot.owner) : scalar_copy(slot, type.scalar)});
    }
    std::vector<ForeignArray> made = context.call.functions[step.function]->call(args);
    std::size_t next = step.to.index;
    for (const ForeignArray& array : made)
        for (std::int64_t extent : array.shape) context.set_number(frame.own(ValueId(next++)), extent);
    for (ForeignArray& array : made) {
        void* data = array.buffer->data;
        frame.own(ValueId(next++)) = {data, std::move(array.buffer)};
    }
    check(next == step.to.index + step.results, "a foreign function returns what it was declared to");
}

BufferRef scalar_copy(const Slot& slot, ir::Scalar scalar) {
    BufferRef copy = allocate(static_cast<std::size_t>(detail::size_of(scalar)));
    std::memcpy(copy->data, slot.data, copy->bytes);
    return copy;
}

void run_alias(const AliasStep& step, Frame& frame) {
    for (std::size_t k = 0; k < step.from.size(); ++k) frame.own(ValueId(step.to.index + k)) = frame.find(step.from[k]);
}

}  // namespace sinter::runtime
