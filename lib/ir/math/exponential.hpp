// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// exp, exp2, expm1. x = n ln 2 + r with |r| <= ln 2 / 2 (Cody and Waite 1980: ln 2 in two parts, n * part exact), a minimax
/// polynomial for e^r, and a scaling by 2^n that rounds once, in overflow and gradual underflow too, without a branch. Tang,
/// Table-driven implementation of the exponential function (1989), without the table.
#pragma once

#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
    static constexpr float log2_e = 0x1.715476p0f;
    static constexpr float ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f;
    static constexpr float highest = 89.0f, lowest = -104.0f;  ///< beyond: infinity, 0
    static constexpr float exp2_highest = 129.0f, exp2_lowest = -151.0f;
    static constexpr float expm1_lowest = -18.0f, expm1_tiny = 0x1p-25f;
    /// e^r = 1 + r + r^2 q(r), absolute error 2^-30.9
    static constexpr std::array<float, 6> tail = {0x1p-1f,        0x1.55557p-3f,   0x1.55552p-5f,
                                                  0x1.10ec42p-7f, 0x1.6d038ep-10f, 0x1.d072f8p-13f};
    static constexpr std::array<float, 6> long_tail = tail;  ///< where the sum is a pair
    /// 2^r = 1 + r q(r), relative error 2^-26.5
    static constexpr std::array<float, 6> exp2_tail = {0x1.62e432p-1f, 0x1.ebfc16p-3f,  0x1.c6ad6p-5f,
                                                       0x1.3afd3ap-7f, 0x1.5fe54cp-10f, 0x1.6533c8p-13f};
};

template <>
struct ExpConstants<double> {
    static constexpr double log2_e = 0x1.71547652b82fep0;
    static constexpr double ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45;
    static constexpr double highest = 710.0, lowest = -745.2;
    static constexpr double exp2_highest = 1025.0, exp2_lowest = -1076.0;
    static constexpr double expm1_lowest = -38.0, expm1_tiny = 0x1p-55;
    /// relative error 2^-57.7
    static constexpr std::array<double, 10> tail = {
        0x1.000000000000ap-1,  0x1.55555555554fdp-3,  0x1.55555555505e2p-5,  0x1.11111111267c3p-7,  0x1.6c16c184c1a3ap-10,
        0x1.a01a013390948p-13, 0x1.a019986259512p-16, 0x1.71df0b33398fap-19, 0x1.28af0a1e5bb3cp-22, 0x1.adb1f4b24c41cp-26};
    /// relative error of r + r^2 q(r) 2^-60.5
    static constexpr std::array<double, 11> long_tail = {0x1p-1,
                                                         0x1.5555555555559p-3,
                                                         0x1.5555555555558p-5,
                                                         0x1.111111110f727p-7,
                                                         0x1.6c16c16c1795ep-10,
                                                         0x1.a01a01af8bad2p-13,
                                                         0x1.a01a019510828p-16,
                                                         0x1.71ddf94daa27ap-19,
                                                         0x1.27e5128d93dc8p-22,
                                                         0x1.af5d31332f1a8p-26,
                                                         0x1.1f0caf0854afdp-29};
    /// relative error 2^-56.4
    static constexpr std::array<double, 11> exp2_tail = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c5b4p-3,  0x1.c6b08d704a27p-5,
                                                         0x1.3b2ab6fb9d7fdp-7,  0x1.5d87fe78455a1p-10, 0x1.430913170b0e3p-13,
                                                         0x1.ffcbfe6748161p-17, 0x1.62bfb35f56bcdp-20, 0x1.b5207b14c535dp-24,
                                                         0x1.e63d64e10fc6dp-28, 0x1.f10355b92b65dp-32};
};

/// x = n ln 2 + r. The low bits of `n_bits` are those of the integer n.
template <template <class> class V, class T>
struct ExpReduced {
    V<BitsOf<T>> n_bits;
    V<T> n, r;
};

template <template <class> class V, class T>
ExpReduced<V, T> exp_reduce(V<T> x) {
    using C = ExpConstants<T>;
    V<T> t = fma(x, C::log2_e, Format<T>::round_shift), n = t - Format<T>::round_shift;
    return {as<BitsOf<T>>(t), n, fma(n, -C::ln2_lo, fma(n, -C::ln2_hi, x))};
}

/// 2^n for |n| < bias, from the low bits of `n_bits`.
template <class T, template <class> class V>
V<T> power_of_two(V<BitsOf<T>> n_bits) {
    return as<T>((n_bits << BitsOf<T>(Format<T>::mantissa_bits)) + one_bits<T>);
}

/// x limited to [low, high]; a NaN remains a NaN.
template <template <class> class V, class T>
V<T> clamp(V<T> x, T low, T high) {
    V<T> y = select(x > high, V<T>(high), x);
    return select(y < low, V<T>(low), y);
}

template <template <class> class V, class T>
V<T> exp(V<T> x) {
    using C = ExpConstants<T>;
    auto [n_bits, n, r] = exp_reduce(clamp<V, T>(x, C::lowest, C::highest));
    return scale(T(1) + fma(r * r, polynomial(r, C::tail), r), n);
}

/// e^(x + x_lo) = 2^n (1 + e.hi + e.lo), with an error far below an ulp. |x_lo| <= ulp(x), x in exp's range.
template <template <class> class V, class T>
struct ExpOfPair {
    V<BitsOf<T>> n_bits;
    V<T> n;
    Pair<V<T>> e;
};

template <template <class> class V, class T>
ExpOfPair<V, T> exp_of_pair(V<T> x, V<T> x_lo) {
    using C = ExpConstants<T>;
    auto [n_bits, n, r] = exp_reduce(x);
    V<T> r_error = fma(n, V<T>(-C::ln2_lo), fma(n, V<T>(-C::ln2_hi), x) - r);
    Pair<V<T>> s = fast_two_sum(r, r_error + x_lo);
    return {n_bits, n, fast_two_sum(s.hi, fma(s.hi * s.hi, polynomial(s.hi, C::long_tail), fma(s.hi, s.lo, s.lo)))};
}

template <template <class> class V, class T>
V<T> exp2(V<T> x) {
    using C = ExpConstants<T>;
    V<T> y = clamp<V, T>(x, C::exp2_lowest, C::exp2_highest);
    V<T> n = (y + Format<T>::round_shift) - Format<T>::round_shift, r = y - n;
    return scale(fma(r, polynomial(r, C::exp2_tail), V<T>(1)), n);
}

/// 2^(n-1) (1 + r + r^2 q) - 1/2, doubled: the sum 2^(n-1) - 1/2 + 2^(n-1) r keeps its rounding error.
template <template <class> class V, class T>
V<T> expm1(V<T> x) {
    using C = ExpConstants<T>;
    V<T> y = clamp<V, T>(x, C::expm1_lowest, C::highest);
    auto [n_bits, n, r] = exp_reduce(y);
    V<T> r_lo = fma(n, -C::ln2_lo, fma(n, -C::ln2_hi, y) - r);
    V<T> s = power_of_two<T>(n_bits - BitsOf<T>(1)), base = s - T(0.5);
    V<T> tail = fma(r * r, polynomial(r, C::long_tail), r_lo);
    V<T> h = fma(s, r, base), l = fma(s, r, base - h) + ((s - base) - T(0.5));
    V<T> half = h + fma(s, tail, l);
    return select(abs(x) < C::expm1_tiny, x, half + half);
}

}  // namespace sinter::ir::math
