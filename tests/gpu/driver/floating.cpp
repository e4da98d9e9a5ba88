// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point: as the host computes, which rounds to nearest.
#include "arithmetic.hpp"
#include "patterns.hpp"
#include "settings.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace driver {

namespace {

using Half = _Float16;

std::uint64_t sign_of(const Instruction& in) { return std::uint64_t{1} << (in.type.bits() - 1); }

double number(std::uint64_t bits, Type type) {
    if (type.bytes == 8) return as<double>(bits);
    return type.bytes == 4 ? as<float>(bits) : static_cast<double>(as<Half>(bits));
}

/// -0 is less than 0; of a number and what is none, the number, unless .NaN is asked for.
template <class T>
T extremum(const Instruction& in, T x, T y) {
    const auto a = static_cast<double>(x), b = static_cast<double>(y);
    if (std::isnan(a) || std::isnan(b)) {
        if (in.propagates_nan || (std::isnan(a) && std::isnan(b)))
            return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
        return std::isnan(a) ? y : x;
    }
    const bool first_is_less = a == b ? std::signbit(a) : a < b;
    return first_is_less == (in.op == Op::min) ? x : y;
}

template <class T>
T fused(T a, T b, T c) {
    if constexpr (sizeof(T) == 2)
        return static_cast<T>(std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
    else
        return std::fma(a, b, c);
}

template <class T>
std::uint64_t computed(const Instruction& in, T a, T b, T c) {
    switch (in.op) {
        case Op::add:
            return pattern<T>(a + b);
        case Op::sub:
            return pattern<T>(a - b);
        case Op::mul:
            return pattern<T>(a * b);
        case Op::div:
            return pattern<T>(a / b);
        case Op::rcp:
            return pattern<T>(static_cast<T>(1) / a);
        case Op::fma:
            return pattern<T>(fused(a, b, c));
        case Op::sqrt:
            if constexpr (sizeof(T) > 2) return pattern<T>(std::sqrt(a));
            break;
        case Op::min:
        case Op::max:
            return pattern<T>(extremum(in, a, b));
        default:
            break;
    }
    violation("the executor has no " + in.words->text);
}

std::uint64_t to_float(const Instruction& in, double x) {
    if (in.type.bytes == 8) return pattern(x);
    return in.type.bytes == 4 ? pattern(static_cast<float>(x)) : pattern(static_cast<Half>(x));
}

template <class I>
std::uint64_t integer_to_float(const Instruction& in, I x) {
    if (in.type.bytes == 8) return pattern(static_cast<double>(x));
    return in.type.bytes == 4 ? pattern(static_cast<float>(x)) : pattern(static_cast<Half>(x));
}

double integral(double x, Round round) {
    switch (round) {
        case Round::nearest:
            return std::nearbyint(x);
        case Round::zero:
            return std::trunc(x);
        case Round::down:
            return std::floor(x);
        case Round::up:
            return std::ceil(x);
    }
    return x;
}

/// Saturates; what is no number becomes 0, in 64 bits the smallest integer.
std::uint64_t float_to_integer(const Instruction& in, double x) {
    const unsigned bits = in.type.bits();
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    if (std::isnan(x)) return bits == 64 ? top : 0;
    const double whole = integral(x, in.round);
    if (!in.type.is_signed()) {
        if (whole <= 0) return 0;
        return whole >= std::ldexp(1, static_cast<int>(bits)) ? low(~std::uint64_t{0}, bits)
                                                              : static_cast<std::uint64_t>(whole);
    }
    if (whole < -std::ldexp(1, static_cast<int>(bits) - 1)) return top;
    if (whole >= std::ldexp(1, static_cast<int>(bits) - 1)) return top - 1;
    return low(static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)), bits);
}

bool compare_floats(Compare compare, double a, double b) {
    const bool unordered = std::isnan(a) || std::isnan(b);
    switch (compare) {
        case Compare::eq:
            return a == b;
        case Compare::ne:
            return !unordered && a != b;
        case Compare::lt:
            return a < b;
        case Compare::le:
            return a <= b;
        case Compare::gt:
            return a > b;
        case Compare::ge:
            return a >= b;
        case Compare::equ:
            return unordered || a == b;
        case Compare::neu:
            return a != b;
        case Compare::ltu:
            return unordered || a < b;
        case Compare::leu:
            return unordered || a <= b;
        case Compare::gtu:
            return unordered || a > b;
        case Compare::geu:
            return unordered || a >= b;
        case Compare::num:
            return !unordered;
        case Compare::nan:
            return unordered;
    }
    return false;
}

template <class I>
bool compare_integers(const Instruction& in, I a, I b) {
    switch (in.compare) {
        case Compare::eq:
            return a == b;
        case Compare::ne:
            return a != b;
        case Compare::lt:
            return a < b;
        case Compare::le:
            return a <= b;
        case Compare::gt:
            return a > b;
        case Compare::ge:
            return a >= b;
        default:
            violation("the executor has no " + in.words->text);
    }
}

}  // namespace

std::uint64_t floating(const Instruction& in, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t sign = sign_of(in);
    if (in.op == Op::neg) return a ^ sign;
    if (in.op == Op::abs) return a & ~sign;
    if (in.op == Op::copysign) return (b & ~sign) | (a & sign);
    if (in.round != Round::nearest) violation("the executor has no " + in.words->text);
    if (in.type.bytes == 2) return computed(in, as<Half>(a), as<Half>(b), as<Half>(c));
    if (in.type.bytes == 4) return computed(in, as<float>(a), as<float>(b), as<float>(c));
    return computed(in, as<double>(a), as<double>(b), as<double>(c));
}

bool compare(const Instruction& in, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    if (in.type.is_float()) return compare_floats(in.compare, number(a, in.type), number(b, in.type));
    if (in.type.is_signed()) return compare_integers(in, extended(a, bits), extended(b, bits));
    return compare_integers(in, low(a, bits), low(b, bits));
}

std::uint64_t to_tf32(std::uint64_t a) {
    if (!std::isfinite(as<float>(a))) return std::isnan(as<float>(a)) ? 0x7fffe000 : low(a, 32);
    const std::uint64_t sign = a & 0x80000000, size = a & 0x7fffffff;
    return sign | ((size + 0x1000) & 0x7fffe000);
}

std::uint64_t convert(const Instruction& in, std::uint64_t a) {
    const Type from = in.from;
    if (from.is_float()) {
        const double x = number(a, from);
        if (!in.type.is_float()) return float_to_integer(in, x);
        return to_float(in, in.to_integral ? integral(x, in.round) : x);
    }
    if (in.type.is_float())
        return from.is_signed() ? integer_to_float(in, extended(a, from.bits())) : integer_to_float(in, low(a, from.bits()));
    const std::uint64_t x = from.is_signed() ? static_cast<std::uint64_t>(extended(a, from.bits())) : low(a, from.bits());
    // Registers are not narrower than 16 bits: a signed 8-bit result fills one.
    const unsigned bits = in.type.bits();
    return in.type.is_signed() && bits < 32 ? static_cast<std::uint64_t>(extended(x, bits)) : low(x, bits);
}

}  // namespace driver
