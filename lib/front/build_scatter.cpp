// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of operations that move elements to positions known only at run time: compact, scatter, sort.
#include <sinter/detail/build.hpp>

#include "front/shape.hpp"
#include "front/traced.hpp"

#include <fmt/format.h>

namespace sinter::front {
namespace {

/// ShapeError unless there is an index for each value.
void check_indices(const char* what, const Scatter& op, location where) {
    const Leaf &index = op.indices[0], &value = op.values[0];
    const auto &a = type_of(index).shape, &b = type_of(value).shape;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (a[k] != unknown && b[k] != unknown && a[k] != b[k])
            throw ShapeError(fmt::format("{}: the indices have shape {}, the values {}", what, describe_shape(index),
                                         describe_shape(value)),
                             where);
}

Scatter make_scatter(const detail::ScatterArguments& arguments, location where) {
    return {.op = {},
            .dests = to_leaves(arguments.dests, arguments.count, where),
            .indices = to_leaves(arguments.indices, arguments.rank, where),
            .values = to_leaves(arguments.values, arguments.count, where),
            .captures = {},
            .drops = arguments.drops};
}

void finish(const char* what, Scatter op, LeafRef* out, location where) {
    check_indices(what, op, where);
    auto types = typed_like(op.dests, merged_shape(op.dests));
    write_results(make_node(std::move(op), std::move(types), where, what), out);
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

void compact(const LeafRef& mask, const LeafRef* args, std::size_t count, LeafRef* out, location where) {
    Compact op{to_leaf(mask, where), to_leaves(args, count, where)};
    auto types = typed_like(op.args, {unknown});
    types.insert(types.begin(), LeafType{Scalar::i64, {}});
    NodeRef node = make_node(std::move(op), std::move(types), where);
    for (std::size_t i = 0; i < count; ++i) out[i] = to_ref({node, static_cast<std::uint32_t>(i + 1)});
}

void scatter(const char* what, const ScatterArguments& arguments, LeafRef* out, location where) {
    front::finish(what, make_scatter(arguments, where), out, where);
}

void end_scatter(std::uint64_t trace, const Handle* results, const ScatterArguments& arguments, LeafRef* out) {
    Frame& frame = traced_function(trace);
    Scatter op = make_scatter(arguments, frame.where);
    op.op = finish_function(frame, results, arguments.count);
    op.captures = take_captures(frame);
    front::finish(frame.combinator, std::move(op), out, frame.where);
}

void sort(const char* what, const LeafRef* args, std::size_t count, std::size_t keys, bool descending, LeafRef* out,
          location where) {
    Sort op{to_leaves(args, count, where), keys, descending};
    element_count(merged_shape(op.args), what, where);
    auto types = typed_like(op.args, merged_shape(op.args));
    write_results(make_node(std::move(op), std::move(types), where, what), out);
}

}  // namespace sinter::detail
