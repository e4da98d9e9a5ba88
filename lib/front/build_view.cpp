// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of index functions.
#include <sinter/detail/build.hpp>

#include "front/extent_source.hpp"
#include "front/shape.hpp"
#include "ir/sizes/size_arithmetic.hpp"

#include <fmt/format.h>

namespace sinter::front {
namespace {

LeafRef make_view(NodeOp op, Scalar scalar, std::vector<Extent> shape, location where, const char* called = nullptr) {
    return to_ref({make_node(std::move(op), {{scalar, std::move(shape)}}, where, called), 0});
}

/// A slice of everything, of which axes are then narrowed.
Slice whole(const Leaf& leaf, location where) {
    Slice slice{leaf, {}, {}, {}};
    for (std::size_t k = 0; k < type_of(leaf).shape.size(); ++k) {
        slice.start.emplace_back(std::int64_t{0});
        slice.extent.push_back(extent_operand(leaf, k, where));
        slice.step.push_back(1);
    }
    return slice;
}

LeafRef finish(Slice slice, const Leaf& leaf, location where, const char* called = nullptr) {
    auto extents = known_extents(slice.extent);
    return make_view(std::move(slice), type_of(leaf).scalar, std::move(extents), where, called);
}

/// A bound of a range; -1 stands for the position before the first element.
SizeOperand bound(detail::SizeArgument size, location where) {
    if (size.scalar.trace == 0) return size.literal;
    return size_operand(size, "slice", where);
}

/// ShapeError unless a range lies in its axis: 0 <= low <= high <= extent, or downwards extent > low, high >= -1.
void check_range(const Leaf& leaf, std::size_t axis, std::int64_t low, std::int64_t high, std::int64_t step,
                 location where) {
    Extent extent = type_of(leaf).shape[axis];
    bool up = low >= 0 && low <= high && (extent == unknown || high <= extent);
    bool down = low <= high || (high >= -1 && (extent == unknown || low < extent));
    if (step > 0 ? up : down) return;
    throw ShapeError(
        fmt::format("slice: range({}, {}, {}) is not inside axis {} of {}", low, high, step, axis, describe_shape(leaf)),
        where);
}

void narrow(Slice& slice, std::size_t axis, const detail::SliceArgument& range, location where) {
    if (range.step == 0) throw UsageError("slice: the step of a range is 0", where);
    SizeOperand low = bound(range.low, where), high = bound(range.high, where);
    SizeOperand distance = range.step > 0 ? difference(high, low, where) : difference(low, high, where);
    slice.start[axis] = low;
    slice.step[axis] = range.step;
    slice.extent[axis] = quotient_up(distance, range.step > 0 ? range.step : ir::sizes::sub(0, range.step), where);
    auto *first = std::get_if<std::int64_t>(&low), *end = std::get_if<std::int64_t>(&high);
    if (first && end) check_range(slice.arg, axis, *first, *end, range.step, where);
}

/// ShapeError if more elements are asked for than there are known to be.
void check_taken(const char* what, const Leaf& leaf, std::size_t axis, const SizeOperand& count, location where) {
    Extent wanted = known_extent(count), extent = type_of(leaf).shape[axis];
    if (wanted != unknown && extent != unknown && wanted > extent)
        throw ShapeError(fmt::format("{}: {} elements of axis {} of {}", what, wanted, axis, describe_shape(leaf)), where);
}

void check_permutation(const std::vector<std::size_t>& axes, location where) {
    std::vector<bool> named(axes.size());
    for (std::size_t axis : axes) {
        if (named[axis]) throw UsageError(fmt::format("transpose: axis {} is named twice", axis), where);
        named[axis] = true;
    }
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

LeafRef transpose(const LeafRef& array, const std::int64_t* axes, std::size_t count, location where) {
    Leaf leaf = to_leaf(array, where);
    Transpose op{leaf, {}};
    std::vector<Extent> shape;
    for (std::size_t k = 0; k < count; ++k) {
        op.axes.push_back(normal_axis(axes[k], count, "transpose", where));
        shape.push_back(type_of(leaf).shape[op.axes[k]]);
    }
    check_permutation(op.axes, where);
    return make_view(std::move(op), type_of(leaf).scalar, std::move(shape), where);
}

LeafRef slice(const LeafRef& array, const SliceArgument* axes, std::size_t count, location where) {
    Leaf leaf = to_leaf(array, where);
    Slice op = whole(leaf, where);
    for (std::size_t k = 0; k < count; ++k)
        if (!axes[k].all) narrow(op, k, axes[k], where);
    return finish(std::move(op), leaf, where);
}

LeafRef take(const LeafRef& array, SizeArgument count, std::int64_t axis, location where) {
    Leaf leaf = to_leaf(array, where);
    std::size_t k = normal_axis(axis, type_of(leaf).shape.size(), "take", where);
    Slice op = whole(leaf, where);
    op.extent[k] = size_operand(count, "take", where);
    check_taken("take", leaf, k, op.extent[k], where);
    return finish(std::move(op), leaf, where, "take");
}

LeafRef drop(const LeafRef& array, SizeArgument count, std::int64_t axis, location where) {
    Leaf leaf = to_leaf(array, where);
    std::size_t k = normal_axis(axis, type_of(leaf).shape.size(), "drop", where);
    Slice op = whole(leaf, where);
    op.start[k] = size_operand(count, "drop", where);
    check_taken("drop", leaf, k, op.start[k], where);
    op.extent[k] = difference(op.extent[k], op.start[k], where);
    return finish(std::move(op), leaf, where, "drop");
}

LeafRef reverse(const LeafRef& array, std::int64_t axis, location where) {
    Leaf leaf = to_leaf(array, where);
    LeafType type = type_of(leaf);
    std::size_t k = normal_axis(axis, type.shape.size(), "reverse", where);
    return make_view(Reverse{leaf, {k}}, type.scalar, type.shape, where);
}

LeafRef broadcast(const LeafRef& array, const SizeArgument* shape, std::size_t rank, const std::int64_t* axes,
                  std::size_t axis_count, location where) {
    Leaf leaf = to_leaf(array, where);
    Broadcast op{leaf, {}, {}};
    auto sizes = size_operands(shape, rank, "broadcast", where);
    auto extents = known_extents(sizes);
    for (std::size_t k = 0; k < axis_count; ++k) {
        std::size_t axis = normal_axis(axes[k], rank, "broadcast", where);
        if (k > 0 && axis <= op.axes.back())
            throw UsageError("broadcast: the axes are not increasing; transpose first", where);
        Extent own = type_of(leaf).shape[k];
        if (own != unknown && extents[axis] != unknown && own != extents[axis])
            throw ShapeError(fmt::format("broadcast: axis {} of {} does not fit axis {} of {}", k, describe_shape(leaf),
                                         axis, print_shape(extents)),
                             where);
        op.axes.push_back(axis);
        if (own != unknown) extents[axis] = own;
    }
    for (std::size_t axis = 0, k = 0; axis < rank; ++axis) {
        if (k < op.axes.size() && op.axes[k] == axis)
            ++k;
        else
            op.new_extents.push_back(sizes[axis]);
    }
    element_count(extents, "broadcast", where);
    return make_view(std::move(op), type_of(leaf).scalar, std::move(extents), where);
}

LeafRef broadcast_back(const LeafRef& array, const LeafRef& like, const std::int64_t* lost, std::size_t count,
                       location where) {
    Leaf leaf = to_leaf(array, where), original = to_leaf(like, where);
    std::vector<Extent> shape = type_of(original).shape;
    std::vector<bool> is_new(shape.size());
    for (std::size_t k = 0; k < count; ++k) is_new[normal_axis(lost[k], shape.size(), "keep", where)] = true;
    Broadcast op{leaf, {}, {}};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (is_new[axis])
            op.new_extents.push_back(extent_operand(original, axis, where));
        else
            op.axes.push_back(axis);
    }
    return make_view(std::move(op), type_of(leaf).scalar, std::move(shape), where);
}

LeafRef replicate(SizeArgument count, const LeafRef& array, location where) {
    Leaf leaf = to_leaf(array, where);
    Broadcast op{leaf, {}, {size_operand(count, "replicate", where)}};
    std::vector<Extent> shape = type_of(leaf).shape;
    for (std::size_t k = 0; k < shape.size(); ++k) op.axes.push_back(k + 1);
    shape.insert(shape.begin(), known_extent(op.new_extents[0]));
    element_count(shape, "replicate", where);
    return make_view(std::move(op), type_of(leaf).scalar, std::move(shape), where, "replicate");
}

LeafRef reshape(const LeafRef& array, const SizeArgument* shape, std::size_t rank, location where) {
    Leaf leaf = to_leaf(array, where);
    Reshape op{leaf, size_operands(shape, rank, "reshape", where)};
    auto extents = known_extents(op.shape);
    Extent before = element_count(type_of(leaf).shape, "reshape", where), after = element_count(extents, "reshape", where);
    if (before != unknown && after != unknown && before != after)
        throw ShapeError(fmt::format("reshape: {} has {} elements, the shape {} has {}", describe_shape(leaf), before,
                                     print_shape(extents), after),
                         where);
    return make_view(std::move(op), type_of(leaf).scalar, std::move(extents), where);
}

LeafRef flatten(const LeafRef& array, location where) {
    Leaf leaf = to_leaf(array, where);
    Extent count = element_count(type_of(leaf).shape, "flatten", where);
    return make_view(Flatten{leaf}, type_of(leaf).scalar, {count}, where);
}

LeafRef without_axes(const LeafRef& array, const bool* dropped, location where) {
    Leaf leaf = to_leaf(array, where);
    Reshape op{leaf, {}};
    for (std::size_t k = 0; k < type_of(leaf).shape.size(); ++k)
        if (!dropped[k]) op.shape.push_back(extent_operand(leaf, k, where));
    auto extents = known_extents(op.shape);
    return make_view(std::move(op), type_of(leaf).scalar, std::move(extents), where);
}

void gather(const char* what, const LeafRef* indices, std::size_t rank, const LeafRef* sources, std::size_t count,
            LeafRef* out, location where) {
    Gather op{to_leaves(indices, rank, where), to_leaves(sources, count, where)};
    auto shape = merged_shape(op.indices);
    std::vector<LeafType> types;
    for (const Leaf& source : op.sources) types.push_back({type_of(source).scalar, shape});
    write_results(make_node(std::move(op), std::move(types), where, what), out);
}

void force(const LeafRef* arrays, std::size_t count, LeafRef* out, location where) {
    Force op{to_leaves(arrays, count, where)};
    std::vector<LeafType> types;
    for (const Leaf& arg : op.args) types.push_back(type_of(arg));
    write_results(make_node(std::move(op), std::move(types), where), out);
}

LeafRef literal(Scalar type, std::uint64_t bits, location where) { return to_ref(make_literal(type, bits, where)); }

}  // namespace sinter::detail
