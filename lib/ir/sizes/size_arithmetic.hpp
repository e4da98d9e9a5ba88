// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arithmetic on extents and on what is computed from them. Sizes are integers without bounds: one that does not fit in
/// int64 is `huge`, or `-huge` if it is negative, and so is everything computed from it, unless it is multiplied by 0. No
/// array has a `huge` extent or a `huge` number of elements.
#pragma once

#include "ir/type.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace sinter::ir {

/// 2^63 - 1, which stands for itself and for every larger integer.
constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

constexpr bool is_huge(std::int64_t size) { return size >= huge || size <= -huge; }

namespace sizes {

constexpr std::int64_t with_sign(bool negative) { return negative ? -huge : huge; }

/// If one of them is huge, the result is that one.
constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (is_huge(a) || is_huge(b)) return with_sign((is_huge(a) ? a : b) < 0);
    return __builtin_add_overflow(a, b, &sum) ? with_sign(a < 0) : sum;
}

constexpr std::int64_t sub(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (is_huge(a) || is_huge(b)) return with_sign(is_huge(a) ? a < 0 : b > 0);
    return __builtin_sub_overflow(a, b, &difference) ? with_sign(a < 0) : difference;
}

constexpr std::int64_t mul(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (a == 0 || b == 0) return 0;
    if (is_huge(a) || is_huge(b) || __builtin_mul_overflow(a, b, &product)) return with_sign((a < 0) != (b < 0));
    return product;
}

/// (a + b - 1) / b; 0 unless b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    if (b <= 0) return 0;
    if (is_huge(a)) return with_sign(a < 0);
    return a / b + (a % b > 0 ? 1 : 0);
}

/// True if they are known to be equal; huge ones are not.
constexpr bool equal(std::int64_t a, std::int64_t b) { return a == b && !is_huge(a); }

/// The number of elements of an array with this shape; 0 if an extent is 0.
constexpr std::int64_t product(std::span<const std::int64_t> shape) {
    std::int64_t count = 1;
    for (std::int64_t extent : shape) count = mul(count, extent);
    return count;
}

}  // namespace sizes

/// The value of a compound size, given the values of its operands.
inline std::int64_t apply(Size::Kind kind, std::int64_t left, std::int64_t right) {
    switch (kind) {
        case Size::Kind::add:
            return sizes::add(left, right);
        case Size::Kind::sub:
            return sizes::sub(left, right);
        case Size::Kind::mul:
            return sizes::mul(left, right);
        case Size::Kind::ceil_div:
            return sizes::ceil_div(left, right);
        case Size::Kind::minimum:
            return std::min(left, right);
        case Size::Kind::maximum:
            return std::max(left, right);
        case Size::Kind::input_extent:
        case Size::Kind::argument:
        case Size::Kind::value:
        case Size::Kind::constant:
            break;
    }
    return left;  // a leaf has no operands
}

/// For example "12" or "2^63 or more".
std::string print_count(std::int64_t size);
/// What is wrong with an array of this shape, for example "an array of 4294967296 x 4294967296 elements, 2^63 or more" or
/// "an extent is -1". Empty if nothing is.
std::string describe_bad_shape(std::span<const std::int64_t> shape);
/// For example "the length of segment 3 is negative" or "the lengths of segments 0 to 3 add up to 2^63 or more".
std::string describe_bad_length(std::int64_t segment);
std::string describe_bad_total(std::int64_t segment);

}  // namespace sinter::ir
