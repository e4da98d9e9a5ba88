// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// pow(x, y) = e^(y log |x|) with log |x| as an unevaluated sum of 1.5 times the precision: log(1 + f) = 2 artanh(s),
/// s = f / (2 + f), where s, s^3 and the first coefficient of the series are sums of two numbers. Special cases as in C,
/// Annex F.
#pragma once

#include "ir/math/exponential.hpp"
#include "ir/math/logarithm.hpp"
#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct PowConstants;

template <>
struct PowConstants<float> {
    /// (2 artanh(s) - 2s) / s^3 = first_hi + first_lo + z series(z), z = s^2; relative error of the logarithm 2^-36.8
    static constexpr float first_hi = 0x1.555556p-1f, first_lo = -0x1.53c3bp-26f;
    static constexpr std::array<float, 4> series = {0x1.999996p-2f, 0x1.249412p-2f, 0x1.c62b1p-3f, 0x1.9116p-3f};
    static constexpr float largest_exponent = 0x1p100f;  ///< for y: larger exponents make no difference
};

template <>
struct PowConstants<double> {
    /// 2^-73.9
    static constexpr double first_hi = 0x1.5555555555555p-1, first_lo = 0x1.59ad3eaed13b2p-55;
    static constexpr std::array<double, 8> series = {0x1.999999999998ep-2, 0x1.24924924939d1p-2, 0x1.c71c71c4bb66p-3,
                                                     0x1.745d1879eb4d9p-3, 0x1.3b135349a2361p-3, 0x1.1122a91bd5b9dp-3,
                                                     0x1.ddeee08bf6015p-4, 0x1.ed09925cf9b26p-4};
    static constexpr double largest_exponent = 0x1p200;
};

/// log x for x > 0 and finite.
template <template <class> class V, class T>
Pair<V<T>> log_as_pair(V<T> x) {
    using C = PowConstants<T>;
    using L = LogConstants<T>;
    auto [k, f] = log_split(x);
    // s
    V<T> d = f + T(2), d_lo = f - (d - T(2)), inverse = T(1) / d, s = f * inverse;
    V<T> s_lo = (fma(-s, d, f) - s * d_lo) * inverse;
    // s^3 q(z)
    Pair<V<T>> z = two_product(s, s);
    z.lo = fma(s + s, s_lo, z.lo);
    Pair<V<T>> cube = two_product(s, z.hi);
    cube.lo = cube.lo + fma(s, z.lo, s_lo * z.hi);
    Pair<V<T>> q = fast_two_sum(V<T>(C::first_hi), fma(z.hi, polynomial(z.hi, C::series), V<T>(C::first_lo)));
    Pair<V<T>> term = two_product(cube.hi, q.hi);
    term.lo = term.lo + fma(cube.hi, q.lo, cube.lo * q.hi);
    // k ln 2 + 2s + s^3 q
    Pair<V<T>> a = fast_two_sum(k * L::ln2_hi, s + s), b = fast_two_sum(a.hi, term.hi);
    return fast_two_sum(b.hi, fma(k, V<T>(L::ln2_lo), (a.lo + b.lo) + (term.lo + (s_lo + s_lo))));
}

/// 0 unless y is an odd integer, else the sign bit of x.
template <template <class> class V, class T>
V<BitsOf<T>> sign_of_power(V<T> x, V<T> y) {
    V<T> half = y * T(0.5);
    auto odd = (trunc(y) == y) & (trunc(half) != half);
    return select(odd, sign_of(x), V<BitsOf<T>>(BitsOf<T>(0)));
}

template <template <class> class V, class T>
V<T> pow(V<T> x, V<T> y) {
    using C = PowConstants<T>;
    using E = ExpConstants<T>;
    V<T> a = abs(x), e = clamp<V, T>(y, -C::largest_exponent, C::largest_exponent);
    Pair<V<T>> l = log_as_pair(a);
    l.hi = select(a == T(0), V<T>(-infinity<T>), select(a < infinity<T>, l.hi, a));
    V<T> p = e * l.hi, p_lo = fma(e, l.hi, -p) + e * l.lo;
    auto inside = abs(p) < T(2) * E::highest;
    V<T> limited = clamp<V, T>(p, E::lowest, E::highest);
    auto [n_bits, n, r] = exp_of_pair(limited, select(inside, p_lo, V<T>(0)));
    Pair<V<T>> sum = fast_two_sum(V<T>(T(1)), r.hi);
    V<T> magnitude = scale(sum.hi + (sum.lo + r.lo), n);
    auto undefined = (x < T(0)) & (a < infinity<T>)&(trunc(y) != y);
    V<T> z = select(undefined, V<T>(not_a_number<T>), flip_sign(magnitude, sign_of_power(x, y)));
    z = select((x == T(1)) | (y == T(0)), V<T>(T(1)), z);
    return select(y == T(1), x, select(y == T(2), x * x, z));  // exactly, as opt/algebra/ takes for granted
}

}  // namespace sinter::ir::math
