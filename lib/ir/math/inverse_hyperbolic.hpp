// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// asinh, acosh, atanh as log(1 + w) of an algebraic w, which is carried as an unevaluated sum; asinh near 0 is an odd
/// minimax polynomial.
#pragma once

#include "ir/math/logarithm.hpp"
#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct InverseHyperbolicConstants;

template <>
struct InverseHyperbolicConstants<float> {
    /// asinh x = x + x^3 p(x^2), |x| <= 1/2
    /// relative error 2^-29.4
    static constexpr std::array<float, 5> asinh = {-0x1.555536p-3f, 0x1.3324fp-4f, -0x1.6b958ep-5f, 0x1.cd5fbp-6f,
                                                   -0x1.b137a2p-7f};
    static constexpr float large = 0x1p30f;  ///< x + sqrt(x^2 +- 1) = 2x
};

template <>
struct InverseHyperbolicConstants<double> {
    /// relative error 2^-56.1
    static constexpr std::array<double, 11> asinh = {-0x1.55555555553f7p-3, 0x1.333333330aef2p-4,  -0x1.6db6db53ef823p-5,
                                                     0x1.f1c714319d3ap-6,   -0x1.6e8addc809bf6p-6, 0x1.1c43223646ae1p-6,
                                                     -0x1.c8b1258e34783p-7, 0x1.74684298307ep-7,   -0x1.23ef30a9a7babp-7,
                                                     0x1.7bc37ffaf19b3p-8,  -0x1.1e5b8f0443f3cp-9};
    static constexpr double large = 0x1p60;
};

template <template <class> class V, class T>
V<T> asinh(V<T> x) {
    using C = InverseHyperbolicConstants<T>;
    V<T> a = abs(x), z = x * x;
    V<T> small = fma(a * z, polynomial(z, C::asinh), a);
    auto large = a > C::large;
    V<T> b = select(large, V<T>(T(1)), a);
    Pair<V<T>> square = two_product(b, b), sum = two_sum(square.hi, V<T>(T(1)));
    Pair<V<T>> root = sqrt_of_pair(sum.hi, sum.lo + square.lo), w = fast_two_sum(root.hi, b);
    Pair<V<T>> minus_one = fast_two_sum(w.hi, V<T>(T(-1)));
    V<T> y = log1p_of_pair(select(large, a, minus_one.hi), select(large, V<T>(0), minus_one.lo + (w.lo + root.lo)),
                           select(large, V<T>(T(1)), V<T>(0)));
    y = select(a < infinity<T>, y, a);
    return copysign(select(a < T(0.5), small, y), x);
}

template <template <class> class V, class T>
V<T> acosh(V<T> x) {
    using C = InverseHyperbolicConstants<T>;
    auto large = x > C::large;
    V<T> b = select(large, V<T>(T(2)), x);
    // (x - 1) (x + 1) = t (t + 2)
    V<T> t = b - T(1), t_lo = (b - t) - T(1);
    Pair<V<T>> plus = two_sum(t, V<T>(T(2))), product = two_product(t, plus.hi);
    V<T> product_lo = product.lo + fma(t, plus.lo + t_lo, t_lo * plus.hi);
    Pair<V<T>> root = sqrt_of_pair(product.hi, product_lo), w = two_sum(t, root.hi);
    V<T> y = log1p_of_pair(select(large, x, w.hi), select(large, V<T>(0), w.lo + (root.lo + t_lo)),
                           select(large, V<T>(T(1)), V<T>(0)));
    y = select(x < infinity<T>, y, x);
    return select(x < T(1), V<T>(not_a_number<T>), y);
}

/// log(1 + w) / 2 with w = 2a / (1 - a).
template <template <class> class V, class T>
V<T> atanh(V<T> x) {
    V<T> a = abs(x), b = a + a;
    Pair<V<T>> d = fast_two_sum(V<T>(T(1)), -a);
    V<T> w = b / d.hi, w_lo = (fma(-w, d.hi, b) - w * d.lo) * estimated_reciprocal(d.hi);
    V<T> y = T(0.5) * log1p_of_pair(w, w_lo, V<T>(0));
    y = select(a < T(1), y, select(a == T(1), V<T>(infinity<T>), V<T>(not_a_number<T>)));
    constexpr T tiny = sizeof(T) == 4 ? T(0x1p-20) : T(0x1p-40);
    return select(a < tiny, fma(x * a, a * T(1.0 / 3), x), copysign(y, x));
}

}  // namespace sinter::ir::math
