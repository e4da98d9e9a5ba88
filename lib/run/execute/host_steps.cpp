// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/host_steps.hpp"

#include "run/entry.hpp"
#include "run/execute/first_of_sort.hpp"
#include "run/execute/host_side.hpp"
#include "run/execute/sort.hpp"
#include "run/messages.hpp"
#include "run/tuning.hpp"
#include "support/check.hpp"

#include <cstring>
#include <new>

namespace sinter::runtime {

namespace {

/// `first` elements are made of each sorted line of `count`.
struct Lines {
    std::int64_t rows, count, first;
    bool is_whole() const { return first == count; }
    bool is_worth_sorting() const { return first > count / tuning::selected_of; }
};

void sort_on_host(const Context& context, std::vector<SortColumn> columns, const SortStep& step, const Lines& lines) {
    HostSide side(context.backend().remote());
    for (SortColumn& column : columns) {
        const auto line = static_cast<std::size_t>(lines.rows * detail::size_of(column.scalar));
        column.from = side.to_read(column.from, line * static_cast<std::size_t>(lines.count));
        column.to = side.to_write(column.to, line * static_cast<std::size_t>(lines.first));
    }
    if (lines.is_whole())
        sort_rows(columns, step.keys, step.descending, lines.rows, lines.count, context.call.threads);
    else
        first_of_rows(columns, step.keys, step.descending, lines.rows, lines.count, lines.first, context.call.threads);
    side.finish();
}

/// Where the arrays are, if the backend sorts; else on the host.
void make_lines(const Context& context, const std::vector<SortColumn>& columns, const SortStep& step, const Lines& lines) {
    if (lines.is_whole() && context.backend().sort(columns, step.keys, step.descending, lines.rows, lines.count)) return;
    try {
        sort_on_host(context, columns, step, lines);
    } catch (const std::bad_alloc&) {
        throw_short_of_memory("sort", context.call.where);
    }
}

/// Sorts all, and copies the first elements of each line.
void make_lines_by_sorting(const Context& context, const std::vector<SortColumn>& columns, const SortStep& step,
                           const Lines& lines) {
    std::vector<Slot> sorted(columns.size());
    std::vector<SortColumn> whole = columns;
    const std::int64_t shape[] = {lines.rows, lines.count};
    for (std::size_t k = 0; k < columns.size(); ++k) whole[k].to = context.allocate(sorted[k], columns[k].scalar, shape, {});
    make_lines(context, whole, step, {lines.rows, lines.count, lines.count});
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto element = static_cast<std::size_t>(detail::size_of(columns[k].scalar));
        const std::size_t from = element * static_cast<std::size_t>(lines.count);
        const std::size_t to = element * static_cast<std::size_t>(lines.first);
        for (std::size_t row = 0; row < static_cast<std::size_t>(lines.rows); ++row)
            context.copy(static_cast<char*>(columns[k].to) + row * to, static_cast<char*>(whole[k].to) + row * from, to);
    }
}

}  // namespace

bool makes_whole_lines(const SortStep& step, const BodyPlan& plan) {
    return plan.types[step.args[0].index].shape == plan.types[step.to.index].shape;
}

void run_sort(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame) {
    const std::vector<std::int64_t> shape = context.shape_of(plan.types[step.args[0].index], frame);
    const std::vector<std::int64_t> made = context.shape_of(plan.types[step.to.index], frame);
    std::vector<SortColumn> columns;
    for (std::size_t k = 0; k < step.args.size(); ++k) {
        ValueId to(step.to.index + k);
        ir::Scalar scalar = plan.types[to.index].scalar;
        columns.push_back({scalar, frame.find(step.args[k]).data, context.allocate(frame.own(to), scalar, made, {})});
    }
    if (ir::sizes::product(made) == 0) return;
    const Lines lines{ir::sizes::product(std::span(shape).first(shape.size() - 1)), shape.back(), made.back()};
    check(lines.first <= lines.count, "no more elements of a sorted line are made than it has");
    if (!lines.is_whole() && (context.backend().remote() || lines.is_worth_sorting()))
        make_lines_by_sorting(context, columns, step, lines);
    else
        make_lines(context, columns, step, lines);
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
