// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/shape.hpp"

#include "front/extent_source.hpp"
#include "front/known_difference.hpp"
#include "ir/builder.hpp"
#include "ir/sizes/size_arithmetic.hpp"

#include <sinter/detail/build.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sinter::front {
namespace {

using detail::LeafRef;

/// A size computed from other sizes, as a node of rank 0. `build` gets the locals of the operands.
template <class F>
SizeOperand computed(const std::vector<SizeOperand>& operands, location where, F build) {
    Map map{.fn = {}, .args = {}, .captures = {}, .indexed = false, .shape = {}};
    for (const SizeOperand& operand : operands)
        if (auto* leaf = std::get_if<Leaf>(&operand)) map.args.push_back(*leaf);
    ir::BlockBuilder builder;
    std::size_t local = builder.open(std::vector<Scalar>(map.args.size(), Scalar::i64)).index;
    std::vector<ir::Local> values;
    for (const SizeOperand& operand : operands) {
        auto* literal = std::get_if<std::int64_t>(&operand);
        values.push_back(literal ? builder.constant_index(*literal) : ir::Local(local++));
    }
    ir::Local result = build(builder, values);
    map.fn = ir::canonical({{}, builder.close({result})});
    return Leaf{make_node(std::move(map), {{Scalar::i64, {}}}, where), 0};
}

std::vector<Leaf> dereferenced(const LeafRef* const* arrays, std::size_t count, location where) {
    std::vector<Leaf> leaves;
    for (std::size_t i = 0; i < count; ++i) leaves.push_back(to_leaf(*arrays[i], where));
    return leaves;
}

void check_same_extent(const char* what, const std::vector<Leaf>& leaves, std::size_t axis, location where) {
    auto extent = [&](std::size_t i) { return type_of(leaves[i]).shape[axis]; };
    std::size_t first = 0;
    while (first < leaves.size() && extent(first) == unknown) ++first;
    for (std::size_t i = first + 1; i < leaves.size(); ++i)
        if (extent(i) != unknown && extent(i) != extent(first))
            throw ShapeError(fmt::format("{}: argument {} has shape {}, argument {} has shape {}", what, first,
                                         describe_shape(leaves[first]), i, describe_shape(leaves[i])),
                             where);
}

}  // namespace

std::string print_shape(const std::vector<Extent>& shape) {
    std::vector<std::string> extents;
    for (Extent extent : shape) extents.push_back(extent == unknown ? "?" : std::to_string(extent));
    return fmt::format("[{}]", fmt::join(extents, ", "));
}

std::string describe_shape(const Leaf& leaf) {
    return fmt::format("{} ({}{})", print_shape(type_of(leaf).shape), name_of(*leaf.node.get()), describe(leaf.node->where));
}

SizeOperand size_operand(detail::SizeArgument size, const char* what, location where) {
    if (size.scalar.trace == 0) {
        if (size.literal < 0) throw ShapeError(fmt::format("{}: an extent is {}, less than 0", what, size.literal), where);
        return size.literal;
    }
    Leaf leaf = program_scalar(size.scalar, what, where);
    if (auto* literal = std::get_if<Literal>(&leaf.node->op))
        return size_operand({static_cast<std::int64_t>(literal->bits), {}}, what, where);
    return leaf;
}

std::vector<SizeOperand> size_operands(const detail::SizeArgument* sizes, std::size_t count, const char* what,
                                       location where) {
    std::vector<SizeOperand> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(size_operand(sizes[i], what, where));
    return result;
}

Extent known_extent(const SizeOperand& size) {
    auto* literal = std::get_if<std::int64_t>(&size);
    return literal ? *literal : unknown;
}

std::vector<Extent> known_extents(const std::vector<SizeOperand>& sizes) {
    std::vector<Extent> result;
    for (const SizeOperand& size : sizes) result.push_back(known_extent(size));
    return result;
}

std::vector<Extent> merged_shape(const std::vector<Leaf>& leaves) {
    std::vector<Extent> shape = type_of(leaves[0]).shape;
    for (const Leaf& leaf : leaves)
        for (std::size_t k = 0; k < shape.size(); ++k)
            if (shape[k] == unknown) shape[k] = type_of(leaf).shape[k];
    return shape;
}

Extent element_count(const std::vector<Extent>& shape, const char* what, location where) {
    if (std::find(shape.begin(), shape.end(), unknown) != shape.end()) return unknown;
    const Extent count = ir::sizes::product(shape);
    if (ir::is_huge(count)) throw ShapeError(fmt::format("{}: {}", what, ir::describe_bad_shape(shape)), where);
    return count;
}

std::vector<std::size_t> increasing_axes(const std::int64_t* axes, std::size_t count, std::size_t rank, const char* what,
                                         location where) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(normal_axis(axes[i], rank, what, where));
    std::sort(result.begin(), result.end());
    auto repeated = std::adjacent_find(result.begin(), result.end());
    if (repeated != result.end()) throw UsageError(fmt::format("{}: axis {} is named twice", what, *repeated), where);
    return result;
}

SizeOperand extent_operand(const Leaf& leaf, std::size_t axis, location where) {
    if (Extent extent = type_of(leaf).shape[axis]; extent != unknown) return extent;
    ExtentSource source = extent_source(leaf, axis);
    if (source.literal) return *source.literal;
    if (source.is_scalar) return source.leaf;
    return Leaf{make_node(ExtentOf{source.leaf, source.axis}, {{Scalar::i64, {}}}, where), 0};
}

std::vector<SizeOperand> extent_operands(const Leaf& leaf, location where) {
    std::vector<SizeOperand> sizes;
    for (std::size_t k = 0; k < type_of(leaf).shape.size(); ++k) sizes.push_back(extent_operand(leaf, k, where));
    return sizes;
}

Extent number_of_extent(const Leaf& leaf, std::size_t axis, location where) {
    const SizeOperand extent = extent_operand(leaf, axis, where);
    if (const auto* number = std::get_if<std::int64_t>(&extent)) return *number;
    return known_number(std::get<Leaf>(extent)).value_or(unknown);
}

Leaf size_leaf(const SizeOperand& size, location where) {
    if (auto* leaf = std::get_if<Leaf>(&size)) return *leaf;
    return make_literal(Scalar::i64, static_cast<std::uint64_t>(std::get<std::int64_t>(size)), where);
}

namespace {

/// A size that is a number is one of the program's text, not one of its size arguments: windows of this length are known as
/// such.
SizeOperand computed(const SumOfScalars& sum, location where) {
    std::vector<SizeOperand> scalars;
    for (const auto& [scalar, factor] : sum.multiples) scalars.emplace_back(scalar);
    return computed(scalars, where, [&](ir::BlockBuilder& builder, const std::vector<ir::Local>& v) {
        std::optional<ir::Local> result;
        for (std::size_t k = 0; k < v.size(); ++k) {
            const auto factor = static_cast<std::int64_t>(sum.multiples[k].second);
            const ir::Local term = factor == 1 ? v[k] : builder.emit(Op::mul, {v[k], builder.constant_index(factor)});
            result = result ? builder.emit(Op::add, {*result, term}) : term;
        }
        const auto number = static_cast<std::int64_t>(sum.number);
        if (result && number == 0) return *result;
        const ir::Local last = builder.constant_index(number);
        return result ? builder.emit(Op::add, {*result, last}) : last;
    });
}

}  // namespace

SizeOperand sum(const SizeOperand& a, const SizeOperand& b, location where) {
    auto *left = std::get_if<std::int64_t>(&a), *right = std::get_if<std::int64_t>(&b);
    if (left && right) return ir::sizes::add(*left, *right);
    if (left && *left == 0) return b;
    if (right && *right == 0) return a;
    if (const auto shorter = shorter_sum(a, 1, b)) return computed(*shorter, where);
    return computed({a, b}, where, [](ir::BlockBuilder& builder, const std::vector<ir::Local>& v) {
        return builder.emit(Op::add, {v[0], v[1]});
    });
}

SizeOperand difference(const SizeOperand& a, const SizeOperand& b, location where) {
    auto *left = std::get_if<std::int64_t>(&a), *right = std::get_if<std::int64_t>(&b);
    if (left && right) return ir::sizes::sub(*left, *right);
    if (right && *right == 0) return a;
    if (const auto shorter = shorter_sum(a, ~std::uint64_t{0}, b)) return computed(*shorter, where);
    return computed({a, b}, where, [](ir::BlockBuilder& builder, const std::vector<ir::Local>& v) {
        return builder.emit(Op::sub, {v[0], v[1]});
    });
}

SizeOperand quotient_up(const SizeOperand& a, std::int64_t b, location where) {
    if (auto* extent = std::get_if<std::int64_t>(&a)) return *extent <= 0 ? 0 : (*extent - 1) / b + 1;
    if (b == 1) return a;
    return computed({a}, where, [b](ir::BlockBuilder& builder, const std::vector<ir::Local>& v) {
        ir::Local raised = builder.emit(Op::add, {v[0], builder.constant_index(b - 1)});
        return builder.emit(Op::div, {raised, builder.constant_index(b)});
    });
}

SizeOperand clamped(std::int64_t value, const SizeOperand& extent, location where) {
    constexpr std::int64_t far = std::int64_t{1} << 31, most = (std::int64_t{1} << 47) - 1;
    if (auto* known = std::get_if<std::int64_t>(&extent)) return std::clamp(value, -*known, *known);
    if (-far <= value && value <= far) return value;
    value = std::clamp(value, -most, most);  // kernels take no greater sizes
    return computed({extent}, where, [value](ir::BlockBuilder& builder, const std::vector<ir::Local>& v) {
        if (value > 0) return builder.emit(Op::minimum, {v[0], builder.constant_index(value)});
        ir::Local least = builder.emit(Op::sub, {builder.constant_index(0), v[0]});
        return builder.emit(Op::maximum, {least, builder.constant_index(value)});
    });
}

SizeOperand modulo(const SizeOperand& a, const SizeOperand& n, location where) {
    auto *value = std::get_if<std::int64_t>(&a), *modulus = std::get_if<std::int64_t>(&n);
    if (value && *value == 0) return a;
    if (modulus && *modulus == 0) return std::int64_t{0};
    if (value && modulus) return *value % *modulus + (*value % *modulus < 0 ? *modulus : 0);
    return computed({a, n}, where, [](ir::BlockBuilder& builder, const std::vector<ir::Local>& v) {
        ir::Local modulus = builder.emit(Op::maximum, {v[1], builder.constant_index(1)});
        ir::Local remainder = builder.emit(Op::rem, {v[0], modulus});
        return builder.emit(Op::rem, {builder.emit(Op::add, {remainder, modulus}), modulus});
    });
}

}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

void check_same_shape(const char* what, const LeafRef* const* arrays, std::size_t count, location where) {
    auto leaves = dereferenced(arrays, count, where);
    for (std::size_t axis = 0; axis < type_of(leaves[0]).shape.size(); ++axis) check_same_extent(what, leaves, axis, where);
}

void check_square(const char* what, const LeafRef& matrix, location where) {
    const Leaf leaf = to_leaf(matrix, where);
    const std::vector<Extent>& shape = type_of(leaf).shape;
    if (shape[0] != unknown && shape[1] != unknown && shape[0] != shape[1])
        throw ShapeError(fmt::format("{}: the matrix is not square: {}", what, describe_shape(leaf)), where);
}

void check_same_outer(const char* what, const LeafRef* const* arrays, std::size_t count, location where) {
    check_same_extent(what, dereferenced(arrays, count, where), 0, where);
}

LeafRef extent_leaf(const LeafRef& array, std::int64_t axis, location where) {
    Leaf leaf = to_leaf(array, where);
    return to_ref(
        size_leaf(extent_operand(leaf, normal_axis(axis, type_of(leaf).shape.size(), "extent", where), where), where));
}

void known_shape(const LeafRef& array, std::int64_t* extents, const char* what, location where) {
    Leaf leaf = to_leaf(array, where);
    for (std::size_t k = 0; k < type_of(leaf).shape.size(); ++k) {
        extents[k] = number_of_extent(leaf, k, where);
        if (extents[k] == unknown)
            throw UsageError(
                fmt::format(
                    "{}: the extents of {} are not known before it is computed; inside a program extent(a, k) is an Exp",
                    what, describe_shape(leaf)),
                where);
    }
}

std::int64_t extent_if_known(const LeafRef& array, std::size_t axis, location where) {
    return number_of_extent(to_leaf(array, where), axis, where);
}

void check_not_empty(const char* what, const LeafRef& array, const std::int64_t* axes, std::size_t axis_count,
                     location where) {
    Leaf leaf = to_leaf(array, where);
    const auto& shape = type_of(leaf).shape;
    for (std::size_t axis : increasing_axes(axes, axis_count, shape.size(), what, where))
        if (shape[axis] == 0)
            throw ShapeError(fmt::format("{}: {} has no element along axis {}", what, describe_shape(leaf), axis), where);
}

void literal_shape(const SizeArgument* shape, std::size_t rank, std::int64_t* extents, const char* what, location where) {
    for (std::size_t k = 0; k < rank; ++k) {
        SizeOperand size = size_operand(shape[k], what, where);
        auto* literal = std::get_if<std::int64_t>(&size);
        if (!literal)
            throw UsageError(fmt::format("{}: the shape of a manifest array is made of integers, not of Exps", what), where);
        extents[k] = *literal;
    }
}

}  // namespace sinter::detail
