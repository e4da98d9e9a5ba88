// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of scans.
#include <sinter/detail/build.hpp>

#include "front/extent_source.hpp"
#include "front/shape.hpp"
#include "front/traced.hpp"

#include <fmt/format.h>

namespace sinter::detail {

using namespace sinter::front;

namespace {

NodeRef scan_node(Scan scan, const ScanKind& kind, const Frame& frame) {
    auto shape = merged_shape(scan.args);
    scan.axis = normal_axis(kind.axis, shape.size(), frame.combinator, frame.where);
    const auto scalars = ir::result_types(scan.op);
    auto types = typed(scalars, shape);
    if (kind.totals) {
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(scan.axis));
        for (auto& type : typed(scalars, shape)) types.push_back(std::move(type));
    }
    return make_node(std::move(scan), std::move(types), frame.where, frame.combinator);
}

/// Initial states that are arrays have one value per line.
void check_inits(const Scan& recur, std::vector<Extent> lines, const Frame& frame) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(recur.axis));
    for (const Leaf& init : recur.inits) {
        const auto& shape = type_of(init).shape;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            if (shape[axis] == lines[axis] || shape[axis] == unknown || lines[axis] == unknown) continue;
            throw ShapeError(fmt::format("{}: the initial states have shape {}, but the lines of the arrays {}",
                                         frame.combinator, describe_shape(init), print_shape(lines)),
                             frame.where);
        }
    }
}

}  // namespace

void end_scan(std::uint64_t trace, const Handle* results, const LeafRef* inits, const LeafRef* args, std::size_t count,
              const ScanKind& kind, LeafRef* out) {
    Frame& frame = traced_function(trace);
    Scan scan{.op = finish_function(frame, results, count),
              .inits = to_leaves(inits, inits ? count : 0, frame.where),
              .args = to_leaves(args, count, frame.where),
              .captures = take_captures(frame),
              .axis = 0,
              .exclusive = kind.exclusive,
              .reverse = kind.reverse,
              .totals = kind.totals,
              .sequential = false};
    write_results(scan_node(std::move(scan), kind, frame), out);
}

void end_recur(std::uint64_t trace, const Handle* results, const RecurArguments& arguments, const ScanKind& kind,
               LeafRef* out) {
    Frame& frame = traced_function(trace);
    Scan scan{.op = finish_function(frame, results, arguments.states),
              .inits = to_leaves(arguments.inits, arguments.states, frame.where),
              .args = to_leaves(arguments.args, arguments.count, frame.where),
              .captures = take_captures(frame),
              .axis = 0,
              .exclusive = false,
              .reverse = kind.reverse,
              .totals = kind.totals,
              .sequential = true};
    const NodeRef node = scan_node(std::move(scan), kind, frame);
    check_inits(std::get<Scan>(node->op), node->types[0].shape, frame);
    const std::size_t first = kind.totals ? arguments.states : 0;
    for (std::size_t k = 0; k < arguments.states; ++k) out[k] = to_ref(Leaf{node, static_cast<std::uint32_t>(first + k)});
}

}  // namespace sinter::detail
