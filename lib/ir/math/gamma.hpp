// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tgamma, lgamma. log gamma(z) = (z - 1/2) (log z - 1) + (log(2 pi) - 1) / 2 + mu(z) for z >= 8, z mu(z) a polynomial in
/// 1 / z^2 (Stirling; NIST Digital Library of Mathematical Functions, 5.11.1). Smaller arguments are moved there by the
/// recurrence, gamma(a) = gamma(a + 8) / (a (a + 1) ... (a + 7)) (5.5.1), negative ones by reflection, gamma(-a) =
/// -pi / (a sin(pi a) gamma(a)) (5.5.3). Logarithm and factor are carried as unevaluated sums: tgamma multiplies the factor
/// by an exponential, lgamma adds its logarithm, except near the zeros 1 and 2, where it is a polynomial. f32 is f64,
/// rounded. The polynomials are least squares fits at Chebyshev points.
#pragma once

#include "ir/math/exponential.hpp"
#include "ir/math/logarithm.hpp"
#include "ir/math/power.hpp"
#include "ir/math/value.hpp"

namespace sinter::ir::math {

struct GammaConstants {
    static constexpr double shift = 8.0;
    static constexpr double tiny = 0x1p-60;                    ///< below: gamma(x) = 1 / x
    static constexpr double highest = 0x1.754d9278b51a7p1014;  ///< beyond: lgamma is infinite
    static constexpr double highest_exponent = 800.0;          ///< beyond: e^x is infinite, and e^-x 0 times any factor
    /// (log(2 pi) - 1) / 2
    static constexpr double constant_hi = 0x1.acfe390c97d69p-2, constant_lo = 0x1.3494bc900144p-56;
    /// z mu(z) in 1 / z^2, z >= 8, relative error 2^-54
    static constexpr std::array<double, 7> stirling = {0x1.5555555555555p-4,   -0x1.6c16c16c10957p-9, 0x1.a01a015d9dffep-11,
                                                       -0x1.381331ca859a0p-11, 0x1.b920c2eb0207fp-11, -0x1.ee6911554dc7dp-10,
                                                       0x1.466275526a04fp-8};
    /// sin(pi r) / (pi r) = 1 - v (sine_hi + sine_lo + v sine(v)), v = r^2 <= 1/4, relative error of the sum 2^-63.4
    static constexpr double sine_hi = 0x1.a51a6625307d3p0, sine_lo = 0x1.1867960c53acp-55;
    static constexpr std::array<double, 8> sine = {-0x1.9f9cb402bc46cp-1,  0x1.86a8e4720dafep-3,   -0x1.ac6805cf2ecb1p-6,
                                                   0x1.33816aa15e04ep-9,   -0x1.374718572f67bp-13, 0x1.d4238cf9b22d9p-18,
                                                   -0x1.0f9855cca0157p-22, 0x1.e2eea4bed1897p-28};
};

/// lgamma(root + t) = t (hi + lo + t tail(t)), |t| <= 1/8.
template <std::size_t n>
struct NearRoot {
    double root, hi, lo;
    std::array<double, n> tail;
    static constexpr double radius = 0.125;
};

/// relative error 2^-60.7
inline constexpr NearRoot<14> near_one = {
    1.0,
    -0x1.2788cfc6fb619p-1,
    0x1.6bb8502d09a58p-58,
    {0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d4p-2, 0x1.151322ac7d87dp-2, -0x1.a8b9c17aa78c7p-3, 0x1.5b40cb1051905p-3,
     -0x1.2703a1daf3e49p-3, 0x1.010b3623519a9p-3, -0x1.c8067299a1b95p-4, 0x1.9a02bb5c5a53bp-4, -0x1.748bcf7e0b9fep-4,
     0x1.551a5eed1bbfcp-4, -0x1.3b091fbcdba63p-4, 0x1.331a50bc2ee5dp-4, -0x1.1ac6d625fad61p-4}};
/// relative error 2^-60.8
inline constexpr NearRoot<12> near_two = {
    2.0,
    0x1.b0ee6072093cep-2,
    0x1.6cb45f6741464p-58,
    {0x1.4a34cc4a60fa6p-2, -0x1.13e001a557608p-4, 0x1.51322ac7d940fp-6, -0x1.e404fc218a132p-8, 0x1.7add6ea4a7471p-9,
     -0x1.38ac5c443129ap-10, 0x1.0b36c23c19651p-11, -0x1.d3fcec4973573p-13, 0x1.a103890d43d13p-14, -0x1.793409b8057b0p-15,
     0x1.66741d4f61ebbp-16, -0x1.21b23e73b3299p-17}};

template <class X>
Pair<X> times(Pair<X> a, Pair<X> b) {
    X h = a.hi * b.hi;
    return {h, fma(a.hi, b.hi, -h) + fma(a.hi, b.lo, a.lo * b.hi)};
}

template <class X>
Pair<X> times(Pair<X> a, X b) {
    X h = a.hi * b;
    return {h, fma(a.hi, b, -h) + a.lo * b};
}

template <class X>
Pair<X> plus(Pair<X> a, double b) {
    Pair<X> sum = two_sum(a.hi, X(b));
    return {sum.hi, sum.lo + a.lo};
}

template <class C, class X>
Pair<X> select_pair(C c, Pair<X> a, Pair<X> b) {
    return {select(c, a.hi, b.hi), select(c, a.lo, b.lo)};
}

/// log gamma(z) for z >= 8.
template <template <class> class V>
Pair<V<double>> log_gamma(Pair<V<double>> z) {
    using X = V<double>;
    using C = GammaConstants;
    Pair<X> l = log_as_pair(z.hi), less_one = plus(l, -1.0), p = times(less_one, z.hi - 0.5);
    X i = 1.0 / z.hi, slope = fma(-i, fma(i, X(1.0 / 12), X(0.5)), l.hi);
    X mu = fma(z.lo, slope, i * polynomial(i * i, C::stirling));
    Pair<X> sum = fast_two_sum(p.hi, X(C::constant_hi));
    return fast_two_sum(sum.hi, sum.lo + (p.lo + (mu + C::constant_lo)));
}

/// sin(pi r) / (pi r) for |r| <= 1/2.
template <template <class> class V>
Pair<V<double>> sine_quotient(V<double> r) {
    using X = V<double>;
    using C = GammaConstants;
    Pair<X> v = two_product(r, r);
    Pair<X> u = fast_two_sum(X(C::sine_hi), fma(v.hi, polynomial(v.hi, C::sine), X(C::sine_lo))), w = times(u, v);
    Pair<X> t = fast_two_sum(X(1.0), -w.hi);
    return {t.hi, t.lo - w.lo};
}

/// gamma(x) = e^exponent factor, except for its sign, which has to be changed where `flip` is true.
template <template <class> class V>
struct GammaParts {
    Pair<V<double>> exponent, factor;
    V<bool> flip, pole;  ///< pole: x is a negative integer
};

/// For |x| >= tiny; an |x| beyond `highest` is treated as `highest`.
template <template <class> class V>
GammaParts<V> gamma_parts(V<double> x) {
    using X = V<double>;
    using C = GammaConstants;
    X a = abs(x), n = rint(a), r = a - n, half = n * 0.5;
    V<bool> negative = x < 0.0, small = a < C::shift;
    Pair<X> one = {X(1.0), X(0.0)}, moved = fast_two_sum(X(C::shift), a);
    Pair<X> z = select_pair(small, moved, Pair<X>{select(a > C::highest, X(C::highest), a), X(0.0)});
    // (a + 1) ... (a + 7) = (s + 7) (s + 12) (s + 15) (a + 4), s = a (a + 8)
    Pair<X> s = times(moved, a), outer = times(plus(s, 7.0), plus(s, 12.0));
    Pair<X> product = select_pair(small, times(outer, times(plus(s, 15.0), two_sum(a, X(4.0)))), one);
    // gamma(a) = e^log / (product a), or e^log; gamma(-a) = -e^-log product / (r t), or -e^-log / (a r t)
    Pair<X> below = times(select_pair(negative, sine_quotient(r), product), select(negative, r, X(1.0)));
    below = times(below, select(negative ^ small, a, X(1.0)));
    Pair<X> above = select_pair(negative, product, one), l = log_gamma(z);
    X inverse = 1.0 / below.hi, q = above.hi * inverse;
    X residual = fma(-q, below.hi, above.hi) + fma(-q, below.lo, above.lo);
    Pair<X> exponent = select_pair(negative, Pair<X>{-l.hi, -l.lo}, l);
    return {exponent, {q, residual * inverse}, negative & (trunc(half) == half), negative & (r == 0.0)};
}

template <template <class> class V>
V<double> tgamma(V<double> x) {
    using X = V<double>;
    using C = GammaConstants;
    auto [exponent, factor, flip, pole] = gamma_parts(x);
    X limited = clamp<V, double>(exponent.hi, -C::highest_exponent, C::highest_exponent);
    auto [n_bits, n, e] = exp_of_pair(limited, select(limited == exponent.hi, exponent.lo, X(0.0)));
    X h = fma(factor.hi, e.hi, factor.hi);
    X l = fma(factor.hi, e.hi, factor.hi - h) + fma(factor.hi, e.lo, fma(factor.lo, e.hi, factor.lo));
    X magnitude = scale(h + l, n), y = select(flip, -magnitude, magnitude);
    return select(abs(x) < C::tiny, 1.0 / x, select(pole, X(not_a_number<double>), y));
}

template <class X, std::size_t n>
X lgamma_near(X x, const NearRoot<n>& c, X otherwise) {
    X t = x - c.root, w = fma(t, polynomial(t, c.tail), X(c.lo));
    return select(abs(t) <= c.radius, fma(t, X(c.hi), t * w), otherwise);
}

template <template <class> class V>
V<double> lgamma(V<double> x) {
    using X = V<double>;
    using C = GammaConstants;
    auto [exponent, factor, flip, pole] = gamma_parts(x);
    X a = abs(x);
    Pair<X> l = log_as_pair(abs(factor.hi)), sum = two_sum(exponent.hi, l.hi);
    X far = sum.hi + (sum.lo + (exponent.lo + (l.lo + factor.lo / factor.hi)));
    X y = lgamma_near(x, near_one, lgamma_near(x, near_two, far));
    return select(a < C::tiny, -log(a), select(pole | (a > C::highest), X(infinity<double>), y));
}

template <template <class> class V>
V<float> tgamma(V<float> x) {
    return to<float>(tgamma(to<double>(x)));
}

template <template <class> class V>
V<float> lgamma(V<float> x) {
    return to<float>(lgamma(to<double>(x)));
}

}  // namespace sinter::ir::math
