// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// log, log2, log10, log1p. x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), then log(1 + f) = f + r(f). For f32 r is a
/// polynomial; for f64 r comes from s = f / (2 + f), log(1 + f) = 2 artanh(s), as in Muller, Elementary Functions, ch. 11.
#pragma once

#include "ir/math/value.hpp"

namespace sinter::ir::math {

template <class T>
struct LogConstants;

template <>
struct LogConstants<float> {
    static constexpr std::uint32_t sqrt_half_bits = 0x3f3504f3;
    static constexpr float smallest_normal = 0x1p-126f, subnormal_scale = 0x1p24f, subnormal_shift = 24;
    static constexpr float ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f;
    static constexpr float log2_e_hi = 0x1.715476p0f, log2_e_lo = 0x1.4ae0cp-26f;
    static constexpr float log10_e_hi = 0x1.bcb7b2p-2f, log10_e_lo = -0x1.5b235ep-27f;
    static constexpr float log10_2_hi = 0x1.344p-2f, log10_2_lo = 0x1.3509f8p-18f;
    static constexpr float large = 0x1p24f;  ///< 1 + x = x in the argument of log1p, as far as f is concerned
};

template <>
struct LogConstants<double> {
    static constexpr std::uint64_t sqrt_half_bits = 0x3fe6a09e667f3bcd;
    static constexpr double smallest_normal = 0x1p-1022, subnormal_scale = 0x1p54, subnormal_shift = 54;
    static constexpr double ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45;
    static constexpr double log2_e_hi = 0x1.71547652b82fep0, log2_e_lo = 0x1.777d0ffda0d24p-56;
    static constexpr double log10_e_hi = 0x1.bcb7b1526e50ep-2, log10_e_lo = 0x1.95355baaafad3p-57;
    static constexpr double log10_2_hi = 0x1.34413509f78p-2, log10_2_lo = 0x1.fef311f12b358p-46;
    static constexpr double large = 0x1p53;
};

/// r(f) of log(1 + f) = f + r(f); absolute error well below an ulp of the result.
template <template <class> class V>
V<float> log_tail(V<float> f) {
    // (log(1 + f) - f + f^2/2) / f^3, error 2^-32.4 of the logarithm
    constexpr std::array<float, 10> c = {0x1.555554p-2f,  -0x1.ffffdp-3f, 0x1.999ab4p-3f,  -0x1.5564dp-3f, 0x1.2479dp-3f,
                                         -0x1.fca12ep-4f, 0x1.c63924p-4f, -0x1.befba4p-4f, 0x1.a9b1a2p-4f, -0x1.c3b668p-5f};
    V<float> z = f * f, z_lo = fma(f, f, -z);
    return fma(z, fma(f, polynomial(f, c), V<float>(-0.5f)), z_lo * -0.5f);
}

template <template <class> class V>
V<double> log_tail(V<double> f) {
    // (2 artanh(s) - 2 s) / s^3 in s^2, error 2^-59.5 of the logarithm
    constexpr std::array<double, 7> c = {0x1.5555555555592p-1, 0x1.999999997feedp-2, 0x1.24924941e5b8cp-2,
                                         0x1.c71c520f93f4ep-3, 0x1.74663e14f97ffp-3, 0x1.39a1c74a15851p-3,
                                         0x1.2f052a425fb23p-3};
    V<double> s = f / (f + 2.0), z = s * s, h = 0.5 * (f * f);
    return fma(s, fma(z, polynomial(z, c), h), -h);
}

/// x = 2^k (1 + f), for x > 0 and finite.
template <template <class> class V, class T>
struct LogSplit {
    V<T> k, f;
};

/// log(2^k (1 + f)), the logarithm of the mantissa being f + r.
template <template <class> class V, class T>
V<T> log_of_parts(V<T> k, V<T> f, V<T> r) {
    using C = LogConstants<T>;
    return fma(k, V<T>(C::ln2_hi), f + fma(k, V<T>(C::ln2_lo), r));
}

/// Splits x from its bits; `bias` is the offset of the exponent field plus 2^mantissa_bits.
template <template <class> class V, class T>
LogSplit<V, T> log_split_normal(V<T> x, V<T> bias) {
    using B = BitsOf<T>;
    constexpr B half = LogConstants<T>::sqrt_half_bits;
    constexpr B shift_bits = B(Format<T>::bias + Format<T>::mantissa_bits) << Format<T>::mantissa_bits;
    V<B> bits = as<B>(x) + (one_bits<T> - half);
    V<T> k = as<T>((bits >> B(Format<T>::mantissa_bits)) | shift_bits) - bias;
    return {k, as<T>((bits & mantissa_mask<T>)+half) - T(1)};
}

template <class T>
inline constexpr T exponent_bias = T(BitsOf<T>(1) << Format<T>::mantissa_bits) + Format<T>::bias;

template <template <class> class V, class T>
LogSplit<V, T> log_split(V<T> x) {
    using C = LogConstants<T>;
    auto subnormal = x < C::smallest_normal;
    V<T> scaled = select(subnormal, x * C::subnormal_scale, x);
    V<T> bias = select(subnormal, V<T>(exponent_bias<T> + C::subnormal_shift), V<T>(exponent_bias<T>));
    return log_split_normal(scaled, bias);
}

/// `y`, or the value of a logarithm of x where x is not positive and finite.
template <template <class> class V, class T>
V<T> log_special(V<T> x, V<T> y) {
    V<T> z = select(x == T(0), V<T>(-infinity<T>), V<T>(not_a_number<T>));
    return select(x > T(0), select(x == infinity<T>, x, y), z);
}

template <template <class> class V, class T>
V<T> log(V<T> x) {
    auto [k, f] = log_split(x);
    return log_special(x, log_of_parts(k, f, log_tail(f)));
}

/// k_hi + k_lo + (f + r(f)) (e_hi + e_lo), the first two products with their rounding errors.
template <template <class> class V, class T>
V<T> log_scaled(V<T> k_hi, V<T> k_lo, V<T> f, T e_hi, T e_lo) {
    V<T> h = f * e_hi, l = fma(log_tail(f), V<T>(e_hi), fma(f, V<T>(e_lo), fma(f, V<T>(e_hi), -h)));
    Pair<V<T>> sum = fast_two_sum(k_hi, h);
    return sum.hi + (sum.lo + (l + k_lo));
}

template <template <class> class V, class T>
V<T> log2(V<T> x) {
    using C = LogConstants<T>;
    auto [k, f] = log_split(x);
    return log_special(x, log_scaled(k, V<T>(0), f, C::log2_e_hi, C::log2_e_lo));
}

template <template <class> class V, class T>
V<T> log10(V<T> x) {
    using C = LogConstants<T>;
    auto [k, f] = log_split(x);
    return log_special(x, log_scaled(k * C::log10_2_hi, k * C::log10_2_lo, f, C::log10_e_hi, C::log10_e_lo));
}

/// log(2^k_add (1 + w + w_lo)), w >= -1, |w_lo| <= ulp(w), before special cases. k is that of u = 1 + w, but
/// f = 2^-k w + (2^-k - 1) is computed from w itself, with its rounding error.
template <template <class> class V, class T>
V<T> log1p_of_pair(V<T> w, V<T> w_lo, V<T> k_add) {
    using C = LogConstants<T>;
    using B = BitsOf<T>;
    V<T> u = w + T(1);
    auto [k, f_of_u] = log_split_normal(u, V<T>(exponent_bias<T>) - k_add);
    constexpr B half = C::sqrt_half_bits;
    V<B> exponent = (as<B>(u) + (one_bits<T> - half)) & ~mantissa_mask<T>;
    V<T> s = as<T>(V<B>(2 * one_bits<T>) - exponent);  // 2^-(k - k_add)
    auto moderate = u < C::large;
    V<T> f = select(moderate, fma(s, w, s - T(1)), f_of_u);
    V<T> f_lo = select(moderate, fma(s, w_lo, fma(s, w, (s - T(1)) - f)), V<T>(0));
    return log_of_parts(k, f, log_tail(f) + fma(-f, f_lo, f_lo));
}

template <template <class> class V, class T>
V<T> log1p(V<T> x) {
    V<T> y = log_special(x + T(1), log1p_of_pair(x, V<T>(0), V<T>(0)));
    return select(x == T(0), x, y);
}

}  // namespace sinter::ir::math
