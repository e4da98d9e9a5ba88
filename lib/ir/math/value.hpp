// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The vocabulary in which the mathematical functions are defined. Each definition is a template over a value type V<T> (T
/// is bool, an integer of 32 or 64 bits, float or double) and is instantiated twice: with Traced (traced.hpp), which records
/// instructions of the IR, and in tests with a native scalar, which makes it possible to check all 2^32 inputs.
///
/// V<T> converts from T and has: + - * / unary -, < <= > >= == !=, & | ^ ! << >> (integers, or booleans), and the free
/// functions
///   fma(a, b, c)  scale(a, n)  sqrt(a)  abs(a)  copysign(a, b)  rint(a)  floor(a)  trunc(a)   as ops.def defines them
///   select(c, a, b)    as<U>(a) same bits    to<U>(a) same number    cond(c, then, otherwise) -> std::tuple of values
/// `cond` is for rare paths only: a side is executed only if some lane takes it.
///
/// Everything is written for vectors: no branches, no tables, integer operations of the lanes' own width, and at most one
/// division where possible. Every rounding is explicit, so nothing may be contracted or reassociated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sinter::ir::math {

/// The layout of an IEEE format, as integers of its width.
template <class T>
struct Format;

template <>
struct Format<float> {
    using Bits = std::uint32_t;
    static constexpr int mantissa_bits = 23, bias = 127;
    static constexpr float round_shift = 0x1.8p23f;  ///< t = x + this: the low bits of t are x rounded to an integer
};

template <>
struct Format<double> {
    using Bits = std::uint64_t;
    static constexpr int mantissa_bits = 52, bias = 1023;
    static constexpr double round_shift = 0x1.8p52;
};

template <class T>
using BitsOf = typename Format<T>::Bits;

template <class T>
inline constexpr BitsOf<T> one_bits = BitsOf<T>(Format<T>::bias) << Format<T>::mantissa_bits;
template <class T>
inline constexpr BitsOf<T> sign_mask = BitsOf<T>(1) << (sizeof(T) * 8 - 1);
template <class T>
inline constexpr BitsOf<T> mantissa_mask = (BitsOf<T>(1) << Format<T>::mantissa_bits) - 1;
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule, which needs the fewest instructions; independent lanes hide its latency.
template <class X, class T, std::size_t n>
X polynomial(X x, const std::array<T, n>& c) {
    X sum = c[n - 1];
    for (std::size_t i = n - 1; i-- > 0;) sum = fma(sum, x, X(c[i]));
    return sum;
}

/// An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2.
template <class X>
struct Pair {
    X hi, lo;
};

/// a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
template <class X>
Pair<X> fast_two_sum(X a, X b) {
    X s = a + b;
    return {s, b - (s - a)};
}

/// a + b exactly (Knuth).
template <class X>
Pair<X> two_sum(X a, X b) {
    X s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

/// a * b exactly.
template <class X>
Pair<X> two_product(X a, X b) {
    X p = a * b;
    return {p, fma(a, b, -p)};
}

/// 1 / x within 12 %, for correction terms: one integer subtraction. Positive normal x below 2^(bias - 1).
template <template <class> class V, class T>
V<T> rough_reciprocal(V<T> x) {
    constexpr auto magic = static_cast<BitsOf<T>>(sizeof(T) == 4 ? 0x7ef311c7ull : 0x7fde623822835eebull);
    return as<T>(V<BitsOf<T>>(magic) - as<BitsOf<T>>(x));
}

/// 1 / x within 2 %.
template <template <class> class V, class T>
V<T> estimated_reciprocal(V<T> x) {
    V<T> r = rough_reciprocal(x);
    return r * fma(-x, r, V<T>(2));
}

/// sqrt(x + x_lo) as a pair, for 0 < x (normal) and |x_lo| <= ulp(x); (0, 0) for 0.
template <template <class> class V, class T>
Pair<V<T>> sqrt_of_pair(V<T> x, V<T> x_lo) {
    V<T> s = sqrt(x);
    return {s, (fma(-s, s, x) + x_lo) * (T(0.5) * estimated_reciprocal(s))};
}

/// `magnitude` (>= 0 or NaN) with the sign bit of `sign` flipped into it.
template <template <class> class V, class T>
V<T> flip_sign(V<T> magnitude, V<BitsOf<T>> sign_bit) {
    return as<T>(as<BitsOf<T>>(magnitude) ^ sign_bit);
}

/// The sign bit of x alone.
template <template <class> class V, class T>
V<BitsOf<T>> sign_of(V<T> x) {
    return as<BitsOf<T>>(x) & V<BitsOf<T>>(sign_mask<T>);
}

}  // namespace sinter::ir::math
