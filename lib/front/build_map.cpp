// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes made of traced functions: map, generate, fold.
#include <sinter/detail/build.hpp>

#include "front/shape.hpp"
#include "front/traced.hpp"
#include "ir/op.hpp"

namespace sinter::front {
namespace {

/// True if result r is one commutative operation on accumulator r and element r, for all r: then the whole operator is
/// commutative.
bool is_componentwise_commutative(const ir::Fn& op) {
    std::size_t count = op.result_count(), params = op.body.params.size();
    for (std::size_t r = 0; r < count; ++r) {
        std::size_t result = op.body.results[r].index;
        if (result < params || result - params >= op.body.insts.size()) return false;
        const ir::Inst& inst = op.body.insts[result - params];
        if (!ir::is_commutative(inst.op) || inst.operands.size() != 2) return false;
        std::size_t a = inst.operands[0].index, b = inst.operands[1].index;
        if (std::min(a, b) != r || std::max(a, b) != count + r) return false;
    }
    return op.body.insts.size() == count;
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

void end_map(std::uint64_t trace, const Handle* results, std::size_t result_count, const LeafRef* args,
             std::size_t arg_count, bool indexed, LeafRef* out) {
    Frame& frame = traced_function(trace);
    std::vector<Leaf> arguments = to_leaves(args, arg_count, frame.where);
    ir::Fn fn = finish_element_function(frame, results, result_count, type_of(arguments[0]).shape.size(), indexed);
    Map map{.fn = std::move(fn),
            .args = std::move(arguments),
            .captures = take_captures(frame),
            .indexed = indexed,
            .shape = {}};
    auto types = typed(ir::result_types(map.fn), merged_shape(map.args));
    write_results(make_node(std::move(map), std::move(types), frame.where, frame.combinator), out);
}

void end_generate(std::uint64_t trace, const Handle* results, std::size_t result_count, const SizeArgument* shape,
                  std::size_t rank, LeafRef* out) {
    Frame& frame = traced_function(trace);
    auto sizes = size_operands(shape, rank, frame.combinator, frame.where);
    auto extents = known_extents(sizes);
    element_count(extents, frame.combinator, frame.where);
    bool indexed = true;
    Map map{.fn = finish_element_function(frame, results, result_count, sizes.size(), indexed),
            .args = {},
            .captures = take_captures(frame),
            .indexed = true,
            .shape = std::move(sizes)};
    auto types = typed(ir::result_types(map.fn), extents);
    write_results(make_node(std::move(map), std::move(types), frame.where, frame.combinator), out);
}

void end_generate_like(std::uint64_t trace, const Handle* results, std::size_t result_count, const LeafRef& like,
                       std::size_t outer, LeafRef* out) {
    Frame& frame = traced_function(trace);
    auto sizes = extent_operands(to_leaf(like, frame.where), frame.where);
    sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(outer));
    bool indexed = true;
    Map map{.fn = finish_element_function(frame, results, result_count, sizes.size(), indexed),
            .args = {},
            .captures = take_captures(frame),
            .indexed = true,
            .shape = std::move(sizes)};
    auto types = typed(ir::result_types(map.fn), known_extents(map.shape));
    write_results(make_node(std::move(map), std::move(types), frame.where, frame.combinator), out);
}

void end_fold(std::uint64_t trace, const Handle* results, const LeafRef* inits, const LeafRef* args, std::size_t count,
              const std::int64_t* axes, std::size_t axis_count, FoldKind kind, LeafRef* out) {
    Frame& frame = traced_function(trace);
    Fold fold{.op = finish_function(frame, results, count),
              .inits = to_leaves(inits, count, frame.where),
              .args = to_leaves(args, count, frame.where),
              .captures = take_captures(frame),
              .axes = {},
              .commutative = kind.commutative,
              .nonempty = kind.nonempty ? frame.combinator : nullptr};
    auto shape = merged_shape(fold.args);
    fold.axes = increasing_axes(axes, axis_count, shape.size(), frame.combinator, frame.where);
    for (std::size_t k = fold.axes.size(); k-- > 0;) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(fold.axes[k]));
    fold.commutative = kind.commutative || is_componentwise_commutative(fold.op);
    auto types = typed(ir::result_types(fold.op), shape);
    write_results(make_node(std::move(fold), std::move(types), frame.where, frame.combinator), out);
}

}  // namespace sinter::detail
