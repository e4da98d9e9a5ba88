// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/extent_source.hpp"

#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::front {
namespace {

ExtentSource from_operand(const SizeOperand& size) {
    ExtentSource source;
    if (auto* literal = std::get_if<std::int64_t>(&size))
        source.literal = *literal;
    else
        source.leaf = std::get<Leaf>(size), source.is_scalar = true;
    return source;
}

/// One step towards the array from which an extent comes.
struct Step {
    std::optional<ExtentSource> end;  ///< found
    Leaf leaf;                        ///< if there is no end: the leaf to continue with
    std::size_t axis;
};

Step stop(const Leaf& leaf, std::size_t axis) { return {ExtentSource{{}, false, leaf, axis}, {}, 0}; }
Step go_on(const Leaf& leaf, std::size_t axis) { return {{}, leaf, axis}; }
Step at(const SizeOperand& size) { return {from_operand(size), {}, 0}; }

/// The axis of a fold's argument that becomes axis `axis` of its result.
std::size_t kept_axis(const std::vector<std::size_t>& reduced, std::size_t axis) {
    for (std::size_t one : reduced)
        if (one <= axis) ++axis;
    return axis;
}

Step through_broadcast(const Broadcast& op, std::size_t axis) {
    auto old = std::find(op.axes.begin(), op.axes.end(), axis);
    if (old != op.axes.end()) return go_on(op.arg, static_cast<std::size_t>(old - op.axes.begin()));
    auto before = std::count_if(op.axes.begin(), op.axes.end(), [&](std::size_t one) { return one < axis; });
    return at(op.new_extents[axis - static_cast<std::size_t>(before)]);
}

Step through_scan(const Scan& op, std::size_t result, std::size_t axis) {
    bool is_total = result >= op.op.result_count();
    return go_on(op.args[0], is_total && axis >= op.axis ? axis + 1 : axis);
}

/// The results of a foreign function begin with the extents of its arrays, in order.
Step of_foreign(const Leaf& leaf, std::size_t axis) {
    std::size_t position = axis;
    for (std::uint32_t r = 0; r < leaf.result; ++r) position += leaf.node->types[r].shape.size();
    return at(SizeOperand(Leaf{leaf.node, static_cast<std::uint32_t>(position)}));
}

/// The extent of the initial state, if the body passes the state on.
Step through_loop(const Loop& op, const Leaf& leaf, std::size_t axis) {
    const ExtentSource next = extent_source(op.body.results[leaf.result], axis);
    const NodeRef& state = op.body.params[leaf.result + (op.counted ? 1 : 0)];
    const bool kept = !next.literal && !next.is_scalar && next.leaf.node.get() == state.get() && next.axis == axis;
    return kept ? go_on(op.inits[leaf.result], axis) : stop(leaf, axis);
}

Step step(const Leaf& leaf, std::size_t axis) {
    return match(
        leaf.node->op,  //
        [&](const Map& op) { return op.args.empty() ? at(op.shape[axis]) : go_on(op.args[0], axis); },
        [&](const Fold& op) { return go_on(op.args[0], kept_axis(op.axes, axis)); },
        [&](const Transpose& op) { return go_on(op.arg, op.axes[axis]); },
        [&](const Slice& op) { return at(op.extent[axis]); },  //
        [&](const Reverse& op) { return go_on(op.arg, axis); },
        [&](const Broadcast& op) { return through_broadcast(op, axis); },
        [&](const Reshape& op) { return at(op.shape[axis]); }, [&](const Gather& op) { return go_on(op.indices[0], axis); },
        [&](const Force& op) { return go_on(op.args[leaf.result], axis); },
        [&](const Loop& op) { return through_loop(op, leaf, axis); },
        [&](const Scan& op) { return through_scan(op, leaf.result, axis); },
        [&](const Compact&) { return at(SizeOperand(Leaf{leaf.node, 0})); },
        [&](const Scatter& op) { return go_on(op.dests[leaf.result], axis); },
        [&](const Sort& op) { return go_on(op.args[0], axis); }, [&](const Foreign&) { return of_foreign(leaf, axis); },
        [&](const Derivative&) { return stop(leaf, axis); }, [&](const Custom&) { return stop(leaf, axis); },
        [&](const Vmap& op) {
            if (leaf.result > 1 && leaf.node->types[0].shape.empty()) return at(SizeOperand(Leaf{leaf.node, 0}));
            return axis == 0 ? go_on(op.args[0], 0) : stop(leaf, axis);
        },
        [&](const Rows& op) {
            const bool folds = op.kind == ir::Rows::Kind::fold;
            return go_on(folds ? op.inits[leaf.result] : op.args[leaf.result], axis);
        },
        [&](const Shift& op) { return go_on(op.arg, axis); }, [&](const Pad& op) { return at(op.extent[axis]); },
        [&](const Input&) { return stop(leaf, axis); }, [&](const Parameter&) { return stop(leaf, axis); },
        [&](const Literal&) { return stop(leaf, axis); }, [&](const ExtentOf&) { return stop(leaf, axis); },
        [&](const Flatten&) { return stop(leaf, axis); }, [&](const Cond&) { return stop(leaf, axis); });
}

}  // namespace

ExtentSource extent_source(Leaf leaf, std::size_t axis) {
    while (true) {
        Step next = step(leaf, axis);
        if (next.end) return *next.end;
        leaf = next.leaf;
        axis = next.axis;
    }
}

std::size_t normal_axis(std::int64_t axis, std::size_t rank, const char* what, location where) {
    auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        throw UsageError(fmt::format("{}: there is no axis {} in an array of rank {}", what, axis, rank), where);
    return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

}  // namespace sinter::front
