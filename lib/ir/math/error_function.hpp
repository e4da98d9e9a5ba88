// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// erf, erfc. erfc(a) = e^(-a^2) P(t) / (1 + 2a), t = (a - k) / (a + k), for a >= 0.7 (Shepherd and Laframboise, Chebyshev
/// approximation of (1 + 2x) exp(x^2) erfc(x), 1981): P lies between 1.1 and 1.3 and is a minimax polynomial. a^2, the
/// exponential and the quotient are carried as unevaluated sums; one division serves both t and 1 / (1 + 2a). erf is x + x
/// p(x^2) for |x| < 1, beyond 1 - erfc with less care; erfc is (1 - x) - x p(x^2) for small |x|.
#pragma once

#include "ir/math/exponential.hpp"
#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct ErfConstants;

template <>
struct ErfConstants<float> {
    /// erf x = x + x p(x^2), |x| <= 1, relative error 2^-29.1
    static constexpr std::array<float, 7> small = {0x1.06eba8p-3f, -0x1.81273ep-2f,  0x1.ce2ce6p-4f, -0x1.b7f71ap-6f,
                                                   0x1.53f22cp-8f, -0x1.a351b2p-11f, 0x1.47732ep-14f};
    /// erf x = value + u q(u), u = x - middle, 1 <= x <= 3.95, error 2^-29.0; erf(middle) is nearly the f32 number `value`
    static constexpr float middle = 0x1.3fff92p1f, value = 0x1.ffcaa8p-1f;
    static constexpr std::array<float, 15> large = {0x1.1d87cap-9f,   -0x1.64e936p-8f, 0x1.11a20cp-7f,  -0x1.1a8e4cp-7f,
                                                    0x1.90e314p-8f,   -0x1.6eb83p-9f,  0x1.1d2fecp-11f, 0x1.0faee4p-12f,
                                                    -0x1.090f16p-12f, 0x1.53237ep-14f, 0x1.ecec5p-18f,  -0x1.06485ap-16f,
                                                    0x1.e2928ep-19f,  0x1.d7677cp-21f, -0x1.8b8502p-22f};
    static constexpr float highest = 10.1f;
    static constexpr float k = 3.0f;
    /// P(t) = factor_hi + factor_lo + t factor(t), a >= split, relative error 2^-29.2
    static constexpr float split = 0.7f, factor_hi = 0x1.40c522p0f, factor_lo = 0x1.a9cafp-25f;
    static constexpr std::array<float, 9> factor = {-0x1.15c082p-3f, -0x1.85a126p-5f, 0x1.0982dcp-3f,
                                                    -0x1.e88e06p-4f, 0x1.17d91cp-4f,  -0x1.851ca4p-6f,
                                                    0x1.418844p-9f,  0x1.daaecap-10f, -0x1.40fa16p-11f};
};

template <>
struct ErfConstants<double> {
    /// relative error 2^-56.3
    static constexpr std::array<double, 13> small = {0x1.06eba8214db69p-3,   -0x1.812746b037a25p-2,  0x1.ce2f21a0458d7p-4,
                                                     -0x1.b82ce31354c7p-6,   0x1.565bcd2c61657p-8,   -0x1.c02db932c0222p-11,
                                                     0x1.f9a3b946fbcd7p-14,  -0x1.f4dcf053efb7bp-17, 0x1.ba6906d78e2f9p-20,
                                                     -0x1.6390518ee15ddp-23, 0x1.131e5dce7be2ep-26,  -0x1.c4adb162a9539p-30,
                                                     0x1.3b93f84f131e8p-33};
    static constexpr double highest = 27.3;
    static constexpr double k = 3.5;
    /// P(t) = factor_hi + factor_lo + t factor(t), relative error 2^-60.3
    static constexpr double split = 0.8, factor_hi = 0x1.3e0a99a0ee914p0, factor_lo = -0x1.7c4529717cd2p-57;
    static constexpr std::array<double, 21> factor = {-0x1.1ebd220ea593bp-3,  -0x1.59e2c284b1228p-7,  0x1.8f702ec6b32e6p-4,
                                                      -0x1.d76830c352f4bp-4,  0x1.686106046f993p-4,   -0x1.8ff5ef76dd7e4p-5,
                                                      0x1.38ec6670e3555p-6,   -0x1.143c4ca094d11p-8,  -0x1.3cf368fcd4935p-12,
                                                      0x1.27e662c7e41e5p-11,  -0x1.fda914899d76ep-14, -0x1.66e15fc564251p-15,
                                                      0x1.97091fb2aaf6ep-16,  0x1.38546cf39564bp-19,  -0x1.fffea9376e4e2p-19,
                                                      -0x1.6472d312b305bp-25, 0x1.41f242b74bdacp-21,  -0x1.81276ba9955c8p-27,
                                                      -0x1.89249e41b9397p-24, 0x1.33953552ff95ap-29,  0x1.400335b63d316p-27};
};

/// e^(-a^2) P / (1 + 2a) = 2^n y.
template <template <class> class V, class T>
struct ScaledComplement {
    V<BitsOf<T>> n_bits;
    V<T> n;
    Pair<V<T>> y;
};

/// For split <= a <= highest; elsewhere the result is meaningless but harmless.
template <template <class> class V, class T>
ScaledComplement<V, T> scaled_complement(V<T> a) {
    using C = ErfConstants<T>;
    // 1 / (1 + 2a) = q + q_lo and t
    V<T> twice = a + a;
    Pair<V<T>> d = two_sum(V<T>(T(1)), twice);
    V<T> sum = a + C::k, inverse = T(1) / (d.hi * sum), q = inverse * sum;
    V<T> q_lo = q * (fma(-q, d.hi, V<T>(T(1))) - q * d.lo);
    V<T> t = (a - C::k) * (inverse * d.hi);
    // P = p + p_lo, then g = P / (1 + 2a)
    V<T> w = fma(t, polynomial(t, C::factor), V<T>(C::factor_lo)), p = C::factor_hi + w, p_lo = (C::factor_hi - p) + w;
    V<T> g = q * p, g_lo = fma(q, p, -g) + fma(q, p_lo, q_lo * p);
    // e^(-a^2) = 2^n (1 + e + e_lo)
    Pair<V<T>> square = two_product(a, a);
    auto [n_bits, n, e] = exp_of_pair(-square.hi, -square.lo);
    V<T> h = fma(g, e.hi, g);
    V<T> l = fma(g, e.hi, g - h) + fma(g, e.lo, fma(g_lo, e.hi, g_lo));
    return {n_bits, n, {h, l}};
}

template <template <class> class V, class T>
V<T> erfc(V<T> x) {
    V<T> a = abs(x);
    auto [n_bits, n, y] = scaled_complement(select(a > ErfConstants<T>::highest, V<T>(ErfConstants<T>::highest), a));
    V<T> large = scale(y.hi + y.lo, n);
    Pair<V<T>> one_minus_x = fast_two_sum(V<T>(T(1)), -x);
    V<T> small = one_minus_x.hi + fma(-x, polynomial(x * x, ErfConstants<T>::small), one_minus_x.lo);
    return select(a < ErfConstants<T>::split, small, select(x < T(0), T(2) - large, large));
}

/// erf |x| for |x| >= 1; a NaN remains a NaN.
template <template <class> class V>
V<float> erf_of_large(V<float> a) {
    using C = ErfConstants<float>;
    V<float> u = select(a > 3.95f, V<float>(3.95f), a) - C::middle;
    return fma(u, polynomial(u, C::large), V<float>(C::value));
}

template <template <class> class V>
V<double> erf_of_large(V<double> a) {
    auto [n_bits, n, y] = scaled_complement(select(a > 6.5, V<double>(6.5), a));
    return 1.0 - (y.hi + y.lo) * power_of_two<double>(n_bits);
}

template <template <class> class V, class T>
V<T> erf(V<T> x) {
    V<T> a = abs(x);
    V<T> small = fma(x, polynomial(x * x, ErfConstants<T>::small), x);
    return select(a < T(1), small, copysign(erf_of_large(a), x));
}

}  // namespace sinter::ir::math
