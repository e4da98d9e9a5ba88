// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// sinh, cosh, tanh. Odd minimax polynomials for |x| < 1, exponentials beyond.
#pragma once

#include "ir/math/exponential.hpp"
#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct HyperbolicConstants;

template <>
struct HyperbolicConstants<float> {
    /// tanh x = x + x^3 p(x^2), |x| <= 1, relative error 2^-27.7
    static constexpr std::array<float, 7> tanh = {-0x1.55553cp-2f, 0x1.110be4p-3f, -0x1.b96238p-5f, 0x1.600988p-6f,
                                                  -0x1.045f54p-7f, 0x1.2d9d5p-9f,  -0x1.77c45cp-12f};
    static constexpr float tanh_highest = 10.0f;
    /// sinh x = x + x^3 p(x^2), |x| <= 1
    /// relative error 2^-27.5
    static constexpr std::array<float, 4> sinh = {0x1.555556p-3f, 0x1.111134p-7f, 0x1.9ffe92p-13f, 0x1.7a15bcp-19f};
    /// sinh r - r = r^3 s(r^2), cosh r - 1 - r^2/2 = r^4 c(r^2), |r| <= ln 2 / 2, absolute errors 2^-32.6, 2^-33.0
    static constexpr std::array<float, 3> sinh_tail = {0x1.555556p-3f, 0x1.1110ap-7f, 0x1.a1886p-13f};
    static constexpr std::array<float, 2> cosh_tail = {0x1.5554e6p-5f, 0x1.6d501ap-10f};
    static constexpr float highest = 89.5f, negligible = 20.0f;
};

template <>
struct HyperbolicConstants<double> {
    /// relative error 2^-56.2
    static constexpr std::array<double, 15> tanh = {-0x1.555555555550fp-2,  0x1.111111110d7ep-3,   -0x1.ba1ba1b810221p-5,
                                                    0x1.664f48369743ap-6,   -0x1.226e2ebe90a35p-7, 0x1.d6d30fe282bcbp-9,
                                                    -0x1.7d9bcb6f0a99p-10,  0x1.3521399aedbcfp-11, -0x1.f33660eb23eaep-13,
                                                    0x1.8d7b3d0d12af6p-14,  -0x1.2eb4b02cf27bp-15, 0x1.9e1331884db6fp-17,
                                                    -0x1.caebc20b96c75p-19, 0x1.5f4f3aa500ed1p-21, -0x1.0d312f2b88441p-24};
    static constexpr double tanh_highest = 20.0;
    /// relative error 2^-61.8
    static constexpr std::array<double, 7> sinh = {0x1.5555555555556p-3,  0x1.111111111101ep-7,  0x1.a01a01a03727p-13,
                                                   0x1.71de3a3b05e27p-19, 0x1.ae646ff63122ap-26, 0x1.6116f3fd2a13cp-33,
                                                   0x1.b5c8d7915d3c8p-41};
    /// absolute errors 2^-63.9, 2^-69.9
    static constexpr std::array<double, 5> sinh_tail = {0x1.555555555555cp-3, 0x1.111111110e967p-7, 0x1.a01a01b4a14a4p-13,
                                                        0x1.71dded4f0e031p-19, 0x1.af70c9acc61adp-26};
    static constexpr std::array<double, 5> cosh_tail = {0x1.5555555555558p-5, 0x1.6c16c16c14ff4p-10, 0x1.a01a01ad84668p-16,
                                                        0x1.27e4cbfedfa17p-22, 0x1.1f8c02c27ec9ep-29};
    static constexpr double highest = 710.5, negligible = 40.0;
};

/// (e^a + sign e^-a) / 2, a >= 0, sign = 1 or -1. With e^r = C + S, C = cosh r, S = sinh r: 2^(n-1) (C + S) + sign 2^(-n-1)
/// (C - S), no division; halved until the end, as 2^(n-1) may overflow alone. C + S keeps the rounding error of 1 + r.
template <template <class> class V, class T>
V<T> half_sum_of_exponentials(V<T> a, T sign) {
    using H = HyperbolicConstants<T>;
    using C = ExpConstants<T>;
    using B = BitsOf<T>;
    V<T> x = select(a > H::highest, V<T>(H::highest), a);
    auto [n_bits, n, r] = exp_reduce(x);
    V<T> r_lo = fma(n, V<T>(-C::ln2_lo), fma(n, V<T>(-C::ln2_hi), x) - r);
    V<T> z = r * r, c = z * fma(z, polynomial(z, H::cosh_tail), V<T>(T(0.5)));
    V<T> s = fma(r * z, polynomial(z, H::sinh_tail), r_lo);
    Pair<V<T>> up = fast_two_sum(V<T>(T(1)), r);
    V<T> up_scale = power_of_two<T>(n_bits - B(2));
    V<T> down_scale = as<T>(V<B>(2 * one_bits<T> - (B(4) << B(Format<T>::mantissa_bits))) - as<B>(up_scale));
    down_scale = select(a > H::negligible, V<T>(0), down_scale * sign);
    V<T> down = (c - s) + (T(1) - r);
    V<T> half = fma(up_scale, up.hi, fma(up_scale, up.lo + (c + s), down_scale * down));
    return half + half;
}

template <template <class> class V, class T>
V<T> sinh(V<T> x) {
    V<T> a = abs(x), z = x * x;
    V<T> small = fma(x * z, polynomial(z, HyperbolicConstants<T>::sinh), x);
    return select(a < T(1), small, copysign(half_sum_of_exponentials(a, T(-1)), x));
}

template <template <class> class V, class T>
V<T> cosh(V<T> x) {
    return half_sum_of_exponentials(abs(x), T(1));
}

/// 1 - 2 / (e^(2a) + 1), where 2 / (e^(2a) + 1) < 1/4.
template <template <class> class V, class T>
V<T> tanh(V<T> x) {
    using C = HyperbolicConstants<T>;
    V<T> a = abs(x), z = x * x;
    V<T> small = fma(a * z, polynomial(z, C::tanh), a);
    V<T> limited = select(a > C::tanh_highest, V<T>(C::tanh_highest), a);
    auto [n_bits, n, r] = exp_reduce(limited + limited);
    V<T> s = power_of_two<T>(n_bits), e = fma(r * r, polynomial(r, ExpConstants<T>::tail), r);
    V<T> large = T(1) - T(2) / fma(s, e, s + T(1));
    return copysign(select(a < T(1), small, large), x);
}

}  // namespace sinter::ir::math
