// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding: arrays placed in larger ones, of which concat and rotate are made.
#include <sinter/detail/build.hpp>

#include "front/extent_source.hpp"
#include "front/shape.hpp"

#include <fmt/format.h>

namespace sinter::front {
namespace {

Leaf zero(const Leaf& like, location where) { return make_literal(type_of(like).scalar, 0, where); }

/// An array placed inside one of `extent` elements along an axis, at element -start of the larger one; zeros elsewhere.
LeafRef padded_along(const char* what, const Leaf& leaf, std::size_t axis, SizeOperand start, SizeOperand extent,
                     location where) {
    const std::vector<SizeOperand> starts(type_of(leaf).shape.size(), std::int64_t{0});
    Pad op{leaf, zero(leaf, where), starts, extent_operands(leaf, where), {}};
    op.start[axis] = std::move(start);
    op.extent[axis] = std::move(extent);
    auto extents = known_extents(op.extent);
    element_count(extents, what, where);
    return to_ref({make_node(std::move(op), {{type_of(leaf).scalar, std::move(extents)}}, where, what), 0});
}

/// ShapeError unless the parts may agree in all axes but one.
void check_parts(const std::vector<Leaf>& parts, std::size_t axis, location where) {
    for (const Leaf& part : parts)
        for (std::size_t k = 0; k < type_of(part).shape.size(); ++k) {
            Extent own = type_of(part).shape[k], first = type_of(parts[0]).shape[k];
            if (k != axis && own != unknown && first != unknown && own != first)
                throw ShapeError(fmt::format("concat: {} and {} differ in another axis than {}", describe_shape(parts[0]),
                                             describe_shape(part), axis),
                                 where);
        }
}

/// A distance in either direction.
SizeOperand distance_operand(detail::SizeArgument distance, location where) {
    if (distance.scalar.trace == 0) return distance.literal;
    return size_operand(distance, "rotate", where);
}

/// The number of elements that pad adds at one end of axis k.
SizeOperand width_operand(detail::SizeArgument width, std::size_t k, location where) {
    SizeOperand size = width.scalar.trace == 0 ? SizeOperand(width.literal) : size_operand(width, "pad", where);
    if (const auto* literal = std::get_if<std::int64_t>(&size); literal && *literal < 0)
        throw ShapeError(fmt::format("pad: a width of axis {} is {}, less than 0", k, *literal), where);
    return size;
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

LeafRef pad(const LeafRef& array, const LeafRef& fill, const SizeArgument (*widths)[2], location where) {
    Leaf leaf = to_leaf(array, where);
    Pad op{leaf, to_leaf(fill, where), {}, extent_operands(leaf, where), {}};
    for (std::size_t k = 0; k < op.extent.size(); ++k) {
        SizeOperand before = width_operand(widths[k][0], k, where), after = width_operand(widths[k][1], k, where);
        if (known_extent(before) == unknown || known_extent(after) == unknown) op.around.push_back(k);
        op.extent[k] = sum(op.extent[k], sum(before, after, where), where);
        op.start.push_back(difference(std::int64_t{0}, before, where));
    }
    auto extents = known_extents(op.extent);
    element_count(extents, "pad", where);
    return to_ref({make_node(std::move(op), {{type_of(leaf).scalar, std::move(extents)}}, where), 0});
}

void concat_parts(const LeafRef* parts, std::size_t count, std::int64_t axis, LeafRef* padded, LeafRef* bounds,
                  location where) {
    auto leaves = to_leaves(parts, count, where);
    std::size_t k = normal_axis(axis, type_of(leaves[0]).shape.size(), "concat", where);
    check_parts(leaves, k, where);
    std::vector<SizeOperand> ends{std::int64_t{0}};
    for (const Leaf& leaf : leaves) ends.push_back(sum(ends.back(), extent_operand(leaf, k, where), where));
    for (std::size_t p = 0; p < count; ++p) {
        SizeOperand start = difference(std::int64_t{0}, ends[p], where);
        padded[p] = padded_along("concat", leaves[p], k, std::move(start), ends.back(), where);
        bounds[p] = to_ref(size_leaf(ends[p + 1], where));
    }
}

void rotation_parts(const LeafRef& array, SizeArgument distance, std::int64_t axis, LeafRef* padded, LeafRef* bound,
                    location where) {
    Leaf leaf = to_leaf(array, where);
    std::size_t k = normal_axis(axis, type_of(leaf).shape.size(), "rotate", where);
    SizeOperand extent = extent_operand(leaf, k, where);
    SizeOperand start = modulo(distance_operand(distance, where), extent, where);
    SizeOperand end = difference(extent, start, where);
    padded[0] = padded_along("rotate", leaf, k, start, extent, where);
    padded[1] = padded_along("rotate", leaf, k, difference(start, extent, where), extent, where);
    *bound = to_ref(size_leaf(end, where));
}

}  // namespace sinter::detail
