// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation is a function of its own, so no compiler can contract two of them into one rounding.
#include "ir/evaluate.hpp"

#include "support/check.hpp"
#include "support/half.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sinter::ir {

using detail::bits_of;
using detail::is_boolean;
using detail::is_float;
using detail::is_signed_integer;

namespace {

std::uint64_t mask(Scalar type) { return ~0ULL >> (64 - bits_of(type)); }

std::uint64_t sign_bit(Scalar type) { return 1ULL << (bits_of(type) - 1); }

/// The pattern of `value` reduced to the width of `type`.
std::uint64_t wrap(Scalar type, std::uint64_t value) { return value & mask(type); }

std::uint64_t divide(Scalar type, std::uint64_t a, std::uint64_t b) {
    if (b == 0) return 0;
    if (!is_signed_integer(type)) return a / b;
    std::int64_t x = to_int64(type, a), y = to_int64(type, b);
    return wrap(type, y == -1 ? 0 - a : static_cast<std::uint64_t>(x / y));
}

std::uint64_t remainder(Scalar type, std::uint64_t a, std::uint64_t b) {
    if (b == 0) return 0;
    if (!is_signed_integer(type)) return a % b;
    std::int64_t x = to_int64(type, a), y = to_int64(type, b);
    return y == -1 ? 0 : wrap(type, static_cast<std::uint64_t>(x % y));
}

std::uint64_t shift_right(Scalar type, std::uint64_t a, int count) {
    if (!is_signed_integer(type)) return a >> count;
    return from_int64(type, to_int64(type, a) >> count);
}

bool less(Scalar type, std::uint64_t a, std::uint64_t b) {
    return is_signed_integer(type) ? to_int64(type, a) < to_int64(type, b) : a < b;
}

/// a modulo n, 0 <= result < n.
std::uint64_t wrapped_index(Scalar type, std::uint64_t a, std::uint64_t n) {
    std::int64_t extent = to_int64(type, n);
    if (extent <= 0) return 0;
    std::int64_t r = to_int64(type, a) % extent;
    return from_int64(type, r < 0 ? r + extent : r);
}

/// a there and back again: the last and the first index are met once (repeated: twice) in a row.
std::uint64_t reflected_index(Scalar type, std::uint64_t a, std::uint64_t n, bool repeated) {
    std::int64_t extent = to_int64(type, n), last = 2 * extent - (repeated ? 1 : 2);
    if (last <= 0) return 0;
    std::int64_t period = last + (repeated ? 1 : 0), r = to_int64(type, a) % period;
    if (r < 0) r += period;
    return from_int64(type, std::min(r, last - r));
}

std::uint64_t integer_op(Op op, Scalar type, std::uint64_t a, std::uint64_t b) {
    int width = bits_of(type);
    auto count = static_cast<int>(b & static_cast<std::uint64_t>(width - 1));
    switch (op) {
        case Op::add:
            return wrap(type, a + b);
        case Op::sub:
            return wrap(type, a - b);
        case Op::mul:
            return wrap(type, a * b);
        case Op::div:
            return divide(type, a, b);
        case Op::rem:
            return remainder(type, a, b);
        case Op::negate:
            return wrap(type, 0 - a);
        case Op::abs:
            return is_signed_integer(type) && (a & sign_bit(type)) ? wrap(type, 0 - a) : a;
        case Op::minimum:
            return less(type, b, a) ? b : a;
        case Op::maximum:
            return less(type, a, b) ? b : a;
        case Op::bit_and:
            return a & b;
        case Op::bit_or:
            return a | b;
        case Op::bit_xor:
            return a ^ b;
        case Op::bit_not:
            return wrap(type, ~a);
        case Op::shift_left:
            return wrap(type, a << count);
        case Op::shift_right:
            return shift_right(type, a, count);
        case Op::popcount:
            return static_cast<std::uint64_t>(std::popcount(a));
        case Op::clz:
            return static_cast<std::uint64_t>(std::countl_zero(a) - (64 - width));
        case Op::ctz:
            return a == 0 ? static_cast<std::uint64_t>(width) : static_cast<std::uint64_t>(std::countr_zero(a));
        case Op::inside:
            return !less(type, a, 0) && less(type, a, b);
        case Op::wrap:
            return wrapped_index(type, a, b);
        case Op::symmetric:
            return reflected_index(type, a, b, true);
        case Op::reflect:
            return reflected_index(type, a, b, false);
        case Op::equal:
            return a == b;
        case Op::not_equal:
            return a != b;
        case Op::less:
            return less(type, a, b);
        case Op::less_equal:
            return !less(type, b, a);
        case Op::greater:
            return less(type, b, a);
        case Op::greater_equal:
            return !less(type, a, b);
        default:
            check(false, "integer operation expected");
            return 0;
    }
}

/// The smaller operand, -0 before +0; neither is NaN.
template <class F>
F ordered_min(F a, F b) {
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

template <class F>
F ordered_max(F a, F b) {
    if (a == b) return std::signbit(a) ? b : a;
    return a < b ? b : a;
}

/// a * 2^n.
template <class F>
F scaled(F a, F n) {
    constexpr F most = 2 * std::numeric_limits<F>::max_exponent;
    return std::isnan(n) ? n : std::ldexp(a, static_cast<int>(std::clamp(n, -most, most)));
}

/// F is float for f16 and f32, and double for f64; the caller rounds the result for f16.
template <class F>
F float_op(Op op, F a, F b, F c) {
    switch (op) {
        case Op::add:
            return a + b;
        case Op::sub:
            return a - b;
        case Op::mul:
            return a * b;
        case Op::div:
            return a / b;
        case Op::rem:
            return std::fmod(a, b);
        case Op::minimum:
            return std::isnan(a) ? a : std::isnan(b) ? b : ordered_min(a, b);
        case Op::maximum:
            return std::isnan(a) ? a : std::isnan(b) ? b : ordered_max(a, b);
        case Op::fmin:
            return std::isnan(a) ? b : std::isnan(b) ? a : ordered_min(a, b);
        case Op::fmax:
            return std::isnan(a) ? b : std::isnan(b) ? a : ordered_max(a, b);
        case Op::fma:
            return std::fma(a, b, c);
        case Op::scale:
            return scaled(a, b);
        case Op::sqrt:
            return std::sqrt(a);
        case Op::floor:
            return std::floor(a);
        case Op::ceil:
            return std::ceil(a);
        case Op::trunc:
            return std::trunc(a);
        case Op::round:
            return std::round(a);
        case Op::rint:
            return std::nearbyint(a);
        default:
            check(false, "floating-point operation expected");
            return 0;
    }
}

bool compare(Op op, double a, double b) {
    switch (op) {
        case Op::equal:
            return a == b;
        case Op::not_equal:
            return a != b;
        case Op::less:
            return a < b;
        case Op::less_equal:
            return a <= b;
        case Op::greater:
            return a > b;
        case Op::greater_equal:
            return a >= b;
        default:
            check(false, "comparison expected");
            return false;
    }
}

std::uint64_t floating_op(Op op, Scalar type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    if (is_comparison(op)) return compare(op, to_double(type, a), to_double(type, b));
    switch (op) {  // exact on patterns, including NaNs
        case Op::negate:
            return a ^ sign_bit(type);
        case Op::abs:
            return a & ~sign_bit(type);
        case Op::copysign:
            return (a & ~sign_bit(type)) | (b & sign_bit(type));
        default:
            break;
    }
    if (type == Scalar::f64)
        return std::bit_cast<std::uint64_t>(
            float_op(op, std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(c)));
    auto value = [&](std::uint64_t bits) { return static_cast<float>(to_double(type, bits)); };
    return from_double(type, static_cast<double>(float_op(op, value(a), value(b), value(c))));
}

/// Truncates and saturates; NaN becomes 0.
std::uint64_t saturate(Scalar to, double x) {
    if (std::isnan(x)) return 0;
    bool is_signed = is_signed_integer(to);
    double above = std::ldexp(1.0, bits_of(to) - is_signed);
    double lowest = is_signed ? -above : 0.0;
    double t = std::trunc(x);
    if (t >= above) return is_signed ? mask(to) >> 1 : mask(to);
    if (t <= lowest) return is_signed ? sign_bit(to) : 0;
    return is_signed ? from_int64(to, static_cast<std::int64_t>(t)) : static_cast<std::uint64_t>(t);
}

/// Rounds once, to f32 or f64; to f16 by way of f32.
std::uint64_t float_from_integer(Scalar to, Scalar from, std::uint64_t bits) {
    bool is_signed = is_signed_integer(from);
    if (to == Scalar::f64)
        return std::bit_cast<std::uint64_t>(is_signed ? static_cast<double>(to_int64(from, bits))
                                                      : static_cast<double>(bits));
    float f = is_signed ? static_cast<float>(to_int64(from, bits)) : static_cast<float>(bits);
    return from_double(to, static_cast<double>(f));
}

std::uint64_t cast(Scalar to, Scalar from, std::uint64_t bits) {
    if (to == from) return bits;
    if (is_float(from)) {
        double x = to_double(from, bits);
        if (is_boolean(to)) return x != 0;
        return is_float(to) ? from_double(to, x) : saturate(to, x);
    }
    if (is_boolean(to)) return bits != 0;
    return is_float(to) ? float_from_integer(to, from, bits) : from_int64(to, to_int64(from, bits));
}

}  // namespace

std::int64_t to_int64(Scalar type, std::uint64_t bits) {
    if (!is_signed_integer(type)) return static_cast<std::int64_t>(bits);
    int unused = 64 - bits_of(type);
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

double to_double(Scalar type, std::uint64_t bits) {
    switch (type) {
        case Scalar::f16:
            return static_cast<double>(float_from_half(static_cast<std::uint16_t>(bits)));
        case Scalar::f32:
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        default:
            return std::bit_cast<double>(bits);
    }
}

std::uint64_t from_int64(Scalar type, std::int64_t value) { return wrap(type, static_cast<std::uint64_t>(value)); }

std::uint64_t from_double(Scalar type, double value) {
    switch (type) {
        case Scalar::f16:
            return half_from(value);
        case Scalar::f32:
            return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        default:
            return std::bit_cast<std::uint64_t>(value);
    }
}

std::uint64_t evaluate(Op op, Scalar result, std::span<const Scalar> operand_types,
                       std::span<const std::uint64_t> operands) {
    Scalar type = operand_types[0];
    std::uint64_t a = operands[0], b = operands.size() > 1 ? operands[1] : 0, c = operands.size() > 2 ? operands[2] : 0;
    switch (op) {
        case Op::select:
            return a != 0 ? b : c;
        case Op::cast:
            return cast(result, type, a);
        case Op::bit_cast:
            return wrap(result, a);
        default:
            return is_float(type) ? floating_op(op, type, a, b, c) : integer_op(op, type, a, b);
    }
}

}  // namespace sinter::ir
