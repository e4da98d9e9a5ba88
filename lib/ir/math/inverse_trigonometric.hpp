// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// asin, acos, atan, atan2. Odd minimax polynomials on [0, 1/2] and [0, 1]; asin and acos beyond 1/2 by
/// pi/2 - 2 asin(sqrt((1 - x) / 2)); atan of the smaller over the larger of two numbers, so that the one division serves
/// every octant. Roots and quotients keep their rounding errors (Muller, Elementary Functions, ch. 10-11).
#pragma once

#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct ArcConstants;

template <>
struct ArcConstants<float> {
    static constexpr float half_pi = 0x1.921fb6p0f, half_pi_lo = -0x1.777a5cp-25f;
    /// asin x = x + x^3 p(x^2), |x| <= 1/2
    /// relative error 2^-27.6
    static constexpr std::array<float, 5> asin = {0x1.5555c8p-3f, 0x1.3301fcp-4f, 0x1.747d04p-5f, 0x1.8c2d9ap-6f,
                                                  0x1.596d5p-5f};
    /// atan x = x + x^3 p(x^2), |x| <= 1
    /// relative error 2^-28.5
    static constexpr std::array<float, 10> atan = {-0x1.555552p-2f, 0x1.99981cp-3f, -0x1.24762p-3f,  0x1.c5117p-4f,
                                                   -0x1.6953bcp-4f, 0x1.150ap-4f,   -0x1.7080bap-5f, 0x1.753044p-6f,
                                                   -0x1.e6a0f8p-8f, 0x1.29688ep-10f};
    /// Before a quotient is corrected, numbers below `low` are multiplied by `up`, and numbers above `high` by `down`.
    static constexpr float low = 0x1p-40f, up = 0x1p80f, high = 0x1p100f, down = 0x1p-64f;
};

template <>
struct ArcConstants<double> {
    static constexpr double half_pi = 0x1.921fb54442d18p0, half_pi_lo = 0x1.1a62633145c07p-54;
    /// relative error 2^-55.9
    static constexpr std::array<double, 12> asin = {0x1.555555555538fp-3, 0x1.333333336eaeep-4,  0x1.6db6db42563d8p-5,
                                                    0x1.f1c72c4619ae7p-6, 0x1.6e89f2e9447efp-6,  0x1.1c6bf7393d6d5p-6,
                                                    0x1.c6fc003502cc4p-7, 0x1.8ecf09c323197p-7,  0x1.ab6312c7d2a55p-8,
                                                    0x1.4041436a1d4c8p-6, -0x1.0a4efb7dff249p-6, 0x1.05990375fb49cp-5};
    /// relative error 2^-57.7
    static constexpr std::array<double, 21> atan = {
        -0x1.555555555554dp-2, 0x1.9999999998c65p-3,  -0x1.249249245769dp-3, 0x1.c71c71b650ee5p-4,   -0x1.745d15d2ce4a2p-4,
        0x1.3b139bec69fcap-4,  -0x1.1110335c2a4cep-4, 0x1.e1d492a44b365p-5,  -0x1.aeda87578626bp-5,  0x1.84b50f0e90bbp-5,
        -0x1.5f263b6362488p-5, 0x1.3908f9f074d72p-5,  -0x1.0c9c3b8bac642p-5, 0x1.ac8edc2d7e228p-6,   -0x1.311287fbc8141p-6,
        0x1.73058c290e56fp-7,  -0x1.7006838a0bfb8p-8, 0x1.1a367c03f89e3p-9,  -0x1.371b74e6ce6c1p-11, 0x1.b416d681e7b84p-14,
        -0x1.22b3430b1d5bfp-17};
    static constexpr double low = 0x1p-400, up = 0x1p600, high = 0x1p900, down = 0x1p-600;
};

/// asin x = s + w for |x| <= 1/2, else pi/2 - 2 (s + w), with the sign of x left out.
template <template <class> class V, class T>
struct ArcSine {
    V<bool> beyond;
    V<T> s, w;
};

template <template <class> class V, class T>
ArcSine<V, T> arc_sine(V<T> x) {
    V<T> a = abs(x);
    auto beyond = a > T(0.5);
    V<T> z = select(beyond, fma(a, V<T>(T(-0.5)), V<T>(T(0.5))), a * a);  // exact if beyond
    Pair<V<T>> root = sqrt_of_pair(z, V<T>(0));
    V<T> s = select(beyond, root.hi, a), s_lo = select(beyond, root.lo, V<T>(0));
    return {beyond, s, fma(s * z, polynomial(z, ArcConstants<T>::asin), s_lo)};
}

/// base + base_lo + s + w with one final rounding; |base| >= |s| or base = 0.
template <template <class> class V, class T>
V<T> add_to_base(V<T> base, V<T> base_lo, V<T> s, V<T> w) {
    Pair<V<T>> sum = fast_two_sum(base, s);
    return sum.hi + (sum.lo + (w + base_lo));
}

template <template <class> class V, class T>
V<T> asin(V<T> x) {
    using C = ArcConstants<T>;
    auto [beyond, s, w] = arc_sine(x);
    V<T> factor = select(beyond, V<T>(T(-2)), V<T>(T(1)));
    V<T> base = select(beyond, V<T>(C::half_pi), V<T>(0)), base_lo = select(beyond, V<T>(C::half_pi_lo), V<T>(0));
    return copysign(add_to_base(base, base_lo, factor * s, factor * w), x);
}

template <template <class> class V, class T>
V<T> acos(V<T> x) {
    using C = ArcConstants<T>;
    auto [beyond, s, w] = arc_sine(x);
    auto negative = x < T(0);
    V<T> outer = select(negative, V<T>(2 * C::half_pi), V<T>(0)),
         outer_lo = select(negative, V<T>(2 * C::half_pi_lo), V<T>(0));
    V<T> base = select(beyond, outer, V<T>(C::half_pi)), base_lo = select(beyond, outer_lo, V<T>(C::half_pi_lo));
    V<T> factor = select(beyond, V<T>(T(2)), V<T>(T(-1)));
    factor = select(negative, -factor, factor);
    return add_to_base(base, base_lo, factor * s, factor * w);
}

/// base + base_lo + r, or base + base_lo - r where `minus` is the sign bit, for r = atan(small / large): 0 <= small <=
/// large; large is neither 0 nor infinite, nor near the ends of the range; base >= pi/4 or 0. All small terms are summed
/// before the last addition.
template <template <class> class V, class T>
V<T> add_arc_tangent(V<T> base, V<T> base_lo, V<BitsOf<T>> minus, V<T> small, V<T> large) {
    V<T> q = small / large, z = q * q;
    V<T> q_lo = fma(-q, large, small) * rough_reciprocal(large) * fma(z, V<T>(T(-0.5)), V<T>(T(1)));
    V<T> r = flip_sign(q, minus), p = polynomial(z, ArcConstants<T>::atan);
    Pair<V<T>> sum = fast_two_sum(base, r), cube = two_product(r, z);
    V<T> lo = flip_sign(q_lo, minus) + (sum.lo + base_lo);
    return sum.hi + fma(cube.hi, p, fma(cube.lo, p, lo));
}

/// The sign bit where `condition` holds.
template <class T, template <class> class V>
V<BitsOf<T>> sign_bit_if(V<bool> condition) {
    return select(condition, V<BitsOf<T>>(sign_mask<T>), V<BitsOf<T>>(BitsOf<T>(0)));
}

template <template <class> class V, class T>
V<T> atan(V<T> x) {
    using C = ArcConstants<T>;
    V<T> a = abs(x);
    auto steep = a > T(1);
    V<T> limited = select(a > C::up, V<T>(C::up), a);
    V<T> base = select(steep, V<T>(C::half_pi), V<T>(0)), base_lo = select(steep, V<T>(C::half_pi_lo), V<T>(0));
    V<T> small = select(steep, V<T>(T(1)), a), large = select(steep, limited, V<T>(T(1)));
    return copysign(add_arc_tangent(base, base_lo, sign_bit_if<T>(steep), small, large), x);
}

template <template <class> class V, class T>
V<T> atan2(V<T> y, V<T> x) {
    using C = ArcConstants<T>;
    V<T> ax = abs(x), ay = abs(y);
    auto steep = ay > ax, left = sign_of(x) != BitsOf<T>(0);
    V<T> small = select(steep, ax, ay), large = select(steep, ay, ax);
    auto both_infinite = small == infinity<T>, both_zero = large == T(0), one_infinite = large == infinity<T>;
    V<T> factor = select(large < C::low, V<T>(C::up), select(large > C::high, V<T>(C::down), V<T>(T(1))));
    V<T> numerator = select(both_infinite, V<T>(T(1)), select(one_infinite, small * T(0), small * factor));
    V<T> denominator = select(both_zero | one_infinite, V<T>(T(1)), large * factor);
    V<T> base = select(steep, V<T>(C::half_pi), select(left, V<T>(2 * C::half_pi), V<T>(0)));
    V<T> base_lo = select(steep, V<T>(C::half_pi_lo), select(left, V<T>(2 * C::half_pi_lo), V<T>(0)));
    V<BitsOf<T>> minus = sign_bit_if<T>(steep ^ left);
    return copysign(add_arc_tangent(base, base_lo, minus, numerator, denominator), y);
}

}  // namespace sinter::ir::math
