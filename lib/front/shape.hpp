// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Extents of nodes while the graph is built: what is known is checked, the rest is left to conversion.
#pragma once

#include <sinter/detail/handle.hpp>

#include "front/frame.hpp"

#include <string>
#include <vector>

namespace sinter::front {

/// For example "[3, 4]"; unknown extents are "?".
std::string print_shape(const std::vector<Extent>& shape);
/// For example "[3, 4] (map at a.cpp:12)".
std::string describe_shape(const Leaf& leaf);

/// A size given by the user: a literal, which must not be negative, or a scalar of a program.
SizeOperand size_operand(detail::SizeArgument size, const char* what, location where);
std::vector<SizeOperand> size_operands(const detail::SizeArgument* sizes, std::size_t count, const char* what,
                                       location where);
Extent known_extent(const SizeOperand& size);
std::vector<Extent> known_extents(const std::vector<SizeOperand>& sizes);

/// What is known about the shape that all these leaves have.
std::vector<Extent> merged_shape(const std::vector<Leaf>& leaves);

/// The number of elements; unknown if an extent is. ShapeError naming `what` if it is 2^63 or more.
Extent element_count(const std::vector<Extent>& shape, const char* what, location where);

/// Axes counted from the outermost, increasing; UsageError naming `what` if one is missing or repeated.
std::vector<std::size_t> increasing_axes(const std::int64_t* axes, std::size_t count, std::size_t rank, const char* what,
                                         location where);

/// The extent of an axis as a size: a literal if it is known, otherwise a scalar.
SizeOperand extent_operand(const Leaf& leaf, std::size_t axis, location where);
std::vector<SizeOperand> extent_operands(const Leaf& leaf, location where);
/// The extent where it is the same number in every call, as that of a window slice(a, range(i, i + 9)) is; else unknown.
Extent number_of_extent(const Leaf& leaf, std::size_t axis, location where);
/// A size as an array of rank 0.
Leaf size_leaf(const SizeOperand& size, location where);
/// a + b for sizes.
SizeOperand sum(const SizeOperand& a, const SizeOperand& b, location where);
/// a - b for sizes.
SizeOperand difference(const SizeOperand& a, const SizeOperand& b, location where);
/// (a + b - 1) / b for a literal b > 0; 0 if a is negative.
SizeOperand quotient_up(const SizeOperand& a, std::int64_t b, location where);
/// `value`, limited to the extent in either direction if it is large.
SizeOperand clamped(std::int64_t value, const SizeOperand& extent, location where);
/// a modulo n, in [0, n); 0 if n is 0.
SizeOperand modulo(const SizeOperand& a, const SizeOperand& n, location where);

}  // namespace sinter::front
