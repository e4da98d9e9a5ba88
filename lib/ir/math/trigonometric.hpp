// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// sin, cos, tan. |x| = n pi/2 + (hi + lo), |hi| <= pi/4 (1 + small).
/// Up to a limit: Cody and Waite (1980) with three parts of pi/2 and the rounding errors kept (the subtractions are exact by
/// Sterbenz' lemma and the grid the terms lie on). Beyond: Payne and Hanek (1983), on 32-bit limbs in 64-bit integers.
/// Then minimax polynomials for sine and cosine of hi, lo entering at first order.
#pragma once

#include "ir/math/payne_hanek.hpp"
#include "ir/math/value.hpp"

#include <tuple>

namespace sinter::ir::math {

template <class T>
struct TrigonometricConstants;

template <>
struct TrigonometricConstants<float> {
    static constexpr float limit = 0x1p17f;
    static constexpr float two_over_pi = 0x1.45f306p-1f;
    static constexpr float half_pi[3] = {0x1.921fb6p0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
    /// sin r = r + r^3 S(r^2), relative error 2^-27.9
    static constexpr std::array<float, 3> sine = {-0x1.555544p-3f, 0x1.1106bap-7f, -0x1.99153p-13f};
    /// cos r = 1 - r^2/2 + r^4 C(r^2), error 2^-33.1
    static constexpr std::array<float, 3> cosine = {0x1.55554ap-5f, -0x1.6c0c1ap-10f, 0x1.99e0ep-16f};
};

template <>
struct TrigonometricConstants<double> {
    static constexpr double limit = 0x1p25;
    static constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
    static constexpr double half_pi[3] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
    /// error 2^-57.8
    static constexpr std::array<double, 6> sine = {-0x1.5555555555547p-3, 0x1.111111110f579p-7,   -0x1.a01a019bae0b9p-13,
                                                   0x1.71de351ed986cp-19, -0x1.ae5e1ee7dae73p-26, 0x1.5d7de0667872cp-33};
    /// error 2^-63.9
    static constexpr std::array<double, 6> cosine = {0x1.555555555554ap-5,   -0x1.6c16c16c14dc4p-10, 0x1.a01a019c515c1p-16,
                                                     -0x1.27e4f7c2397b8p-22, 0x1.1ee9b9e8179dp-29,   -0x1.8f9424007a87bp-37};
};

/// |x| = n pi/2 + hi + lo; the low two bits of `quadrant` are those of n.
template <template <class> class V, class T>
struct TrigonometricReduced {
    V<BitsOf<T>> quadrant;
    V<T> hi, lo;
};

/// Requires x >= 0. Infinities and NaN become NaN.
template <template <class> class V, class T>
TrigonometricReduced<V, T> reduce_by_half_pi(V<T> x) {
    using C = TrigonometricConstants<T>;
    V<T> t = fma(x, V<T>(C::two_over_pi), V<T>(Format<T>::round_shift)), n = t - Format<T>::round_shift;
    V<T> r = fma(n, V<T>(-C::half_pi[0]), x);                  // exact
    V<T> p = n * C::half_pi[1], hi = r - p, e = (r - hi) - p;  // r - p = hi + e
    V<T> lo = fma(n, V<T>(-C::half_pi[2]), fma(n, V<T>(-C::half_pi[1]), p) + e);
    auto near = [&] { return std::tuple(as<BitsOf<T>>(t), hi, lo); };
    auto [q, h, l] = cond(x < C::limit, near, [&] { return payne_hanek<V>(x); });
    return {q, h, l};
}

template <template <class> class V, class T>
V<T> sine_of_reduced(V<T> hi, V<T> lo) {
    V<T> z = hi * hi;
    return hi + fma(hi * z, polynomial(z, TrigonometricConstants<T>::sine), lo);
}

template <template <class> class V, class T>
V<T> cosine_of_reduced(V<T> hi, V<T> lo) {
    V<T> z = hi * hi, w = fma(z, V<T>(-0.5), V<T>(1));
    V<T> e = fma(z, V<T>(-0.5), T(1) - w);
    return w + (e + fma(z * z, polynomial(z, TrigonometricConstants<T>::cosine), -(hi * lo)));
}

/// sin(q pi/2 + hi + lo), without the sign given by q's second bit.
template <template <class> class V, class T>
V<T> sine_in_quadrant(V<BitsOf<T>> quadrant, V<T> hi, V<T> lo) {
    auto odd = (quadrant & BitsOf<T>(1)) != BitsOf<T>(0);
    return select(odd, cosine_of_reduced(hi, lo), sine_of_reduced(hi, lo));
}

template <template <class> class V, class T>
V<T> sin(V<T> x) {
    using B = BitsOf<T>;
    auto [q, hi, lo] = reduce_by_half_pi(abs(x));
    V<B> sign = (as<B>(x) ^ (q << B(sizeof(T) * 8 - 2))) & sign_mask<T>;
    return flip_sign(sine_in_quadrant(q, hi, lo), sign);
}

template <template <class> class V, class T>
V<T> cos(V<T> x) {
    using B = BitsOf<T>;
    auto [q, hi, lo] = reduce_by_half_pi(abs(x));
    auto odd = (q & B(1)) != B(0);
    V<T> y = select(odd, sine_of_reduced(hi, lo), cosine_of_reduced(hi, lo));
    return flip_sign(y, ((q + B(1)) << B(sizeof(T) * 8 - 2)) & sign_mask<T>);
}

/// sin / cos or -cos / sin of hi + lo, both as unevaluated sums, the quotient corrected by its residual.
template <template <class> class V, class T>
V<T> tan(V<T> x) {
    using B = BitsOf<T>;
    using C = TrigonometricConstants<T>;
    auto [q, r, r_lo] = reduce_by_half_pi(abs(x));
    auto odd = (q & B(1)) != B(0);
    V<T> z = r * r, z_lo = fma(r, r, -z), w = fma(z, V<T>(T(-0.5)), V<T>(1));
    Pair<V<T>> s = fast_two_sum(r, fma(r * z, polynomial(z, C::sine), r_lo * w));
    V<T> e = fma(z, V<T>(T(-0.5)), T(1) - w) - fma(r, r_lo, z_lo * T(0.5));
    Pair<V<T>> c = fast_two_sum(w, fma(z * z, polynomial(z, C::cosine), e));
    V<T> above = select(odd, -c.hi, s.hi), above_lo = select(odd, -c.lo, s.lo);
    V<T> below = select(odd, s.hi, c.hi), below_lo = select(odd, s.lo, c.lo);
    V<T> y = above / below;
    V<T> residual = fma(-y, below, above) + fma(-y, below_lo, above_lo);
    return flip_sign(fma(residual, copysign(estimated_reciprocal(abs(below)), below), y), sign_of(x));
}

}  // namespace sinter::ir::math
