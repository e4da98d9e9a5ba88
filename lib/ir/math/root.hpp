// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cbrt, hypot: algebraic functions by iteration and by a corrected square root.
#pragma once

#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct RootConstants;

template <>
struct RootConstants<float> {
    static constexpr int dropped_bits = 8;          ///< bits of a pattern that are ignored, so that the rest is exactly
                                                    ///< representable
    static constexpr float start = 0x1.a91872p23f;  ///< bits of x^(-1/3) = start - bits of x / 3, in units of 2^dropped_bits
    static constexpr float cbrt_low = 0x1p-60f, cbrt_up = 0x1p90f, cbrt_down = 0x1p-30f;
    static constexpr float low = 0x1p-60f, up = 0x1p90f, high = 0x1p60f, down = 0x1p-90f;
    static constexpr int steps = 2;
};

template <>
struct RootConstants<double> {
    static constexpr int dropped_bits = 12;
    static constexpr double start = 0x1.553ef0ff289ddp52;
    static constexpr double cbrt_low = 0x1p-500, cbrt_up = 0x1p600, cbrt_down = 0x1p-200;
    static constexpr double low = 0x1p-500, up = 0x1p700, high = 0x1p500, down = 0x1p-700;
    static constexpr int steps = 3;
};

/// x^(-1/3) within 4 %: the bit pattern of a number is nearly its logarithm, which is divided by three in floating point.
template <template <class> class V, class T>
V<T> rough_inverse_cbrt(V<T> x) {
    using C = RootConstants<T>;
    using B = BitsOf<T>;
    constexpr T two_to_mantissa = T(B(1) << Format<T>::mantissa_bits);
    constexpr B shift_bits = B(Format<T>::bias + Format<T>::mantissa_bits) << Format<T>::mantissa_bits;
    V<T> pattern = as<T>((as<B>(x) >> B(C::dropped_bits)) | shift_bits);  // 2^mantissa_bits + pattern
    V<T> third = fma(pattern, V<T>(T(-1.0 / 3)), V<T>(C::start + two_to_mantissa / 3));
    return as<T>(as<B>(third) << B(C::dropped_bits));
}

/// r = x^(-1/3) by third-order steps, y = x r^2, and one step of Newton's method in which y^3 - x is computed as if exactly.
template <template <class> class V, class T>
V<T> cbrt(V<T> x) {
    using C = RootConstants<T>;
    V<T> a = abs(x);
    auto low = a < C::cbrt_low;
    V<T> b = select(low, a * C::cbrt_up, a), r = rough_inverse_cbrt(b);
    for (int i = 0; i < C::steps; ++i) {
        V<T> h = fma(-((b * r) * r), r, V<T>(T(1)));
        r = fma(r * h, fma(h, fma(h, V<T>(T(14.0 / 81)), V<T>(T(2.0 / 9))), V<T>(T(1.0 / 3))), r);
    }
    V<T> y = b * r * r;
    Pair<V<T>> square = two_product(y, y);
    V<T> residual = fma(-y, square.lo, fma(-y, square.hi, b));
    y = fma(residual * r, r * T(1.0 / 3), y);
    y = select(low, y * C::cbrt_down, y);
    return select((a == T(0)) | !(a < infinity<T>), x, copysign(y, x));
}

/// sqrt(a^2 + b^2) of numbers scaled to the middle of the range, squares and sum as unevaluated sums.
template <template <class> class V, class T>
V<T> hypot(V<T> x, V<T> y) {
    using C = RootConstants<T>;
    V<T> ax = abs(x), ay = abs(y);
    auto swap = ax < ay;
    V<T> a = select(swap, ay, ax), b = select(swap, ax, ay);
    auto low = a<C::low, high = a> C::high;
    V<T> factor = select(low, V<T>(C::up), select(high, V<T>(C::down), V<T>(T(1))));
    V<T> back = select(low, V<T>(T(1) / C::up), select(high, V<T>(T(1) / C::down), V<T>(T(1))));
    a = a * factor;
    b = b * factor;
    Pair<V<T>> a2 = two_product(a, a), b2 = two_product(b, b), sum = fast_two_sum(a2.hi, b2.hi);
    Pair<V<T>> root = sqrt_of_pair(sum.hi, sum.lo + (a2.lo + b2.lo));
    V<T> r = (root.hi + root.lo) * back;
    return select((ax == infinity<T>) | (ay == infinity<T>), V<T>(infinity<T>), r);
}

}  // namespace sinter::ir::math
