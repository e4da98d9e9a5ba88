// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random words as real numbers: by shifts, exact conversions, and functions of math.hpp, which are defined bit by bit. Sums
/// of products are written as fma, and nothing is contracted, so every target gives the same bits.
#pragma once

#include <sinter/math.hpp>
#include <sinter/random/philox.hpp>

#include <limits>

namespace sinter::random {

/// The element types of random arrays. Numbers of type half are made as float.
template <class T>
concept Real = std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>;

namespace detail {

using WordExp = Exp<std::uint32_t>;

inline Exp<std::uint64_t> join(WordExp high, WordExp low) {
    return (cast<std::uint64_t>(high) << 32) | cast<std::uint64_t>(low);
}

/// The random bits of which a number is made: 64 for double, 32 for others.
template <Real T>
using BitsOf = std::conditional_t<std::is_same_v<T, double>, Exp<std::uint64_t>, WordExp>;

/// A multiple of 2^-24 (2^-53 for double, 2^-11 for half) in [0, 1), each equally probable.
template <Real T>
Exp<T> unit(BitsOf<T> bits) {
    if constexpr (std::is_same_v<T, double>)
        return cast<double>(cast<std::int64_t>(bits >> 11)) * 0x1p-53;
    else if constexpr (std::is_same_v<T, float>)
        return cast<float>(cast<std::int32_t>(bits >> 8)) * 0x1p-24f;
    else
        return cast<half>(cast<float>(cast<std::int32_t>(bits >> 21)) * 0x1p-11f);
}

/// (k + 1/2) 2^-31 (2^-63 for double), rounded, for all k from 0 on: in (0, 1], with a fine resolution near 0. For half it
/// is a float.
template <Real T>
auto positive_unit(BitsOf<T> bits) {
    if constexpr (std::is_same_v<T, double>)
        return fma(cast<double>(cast<std::int64_t>(bits >> 1)), Exp<double>(0x1p-63), Exp<double>(0x1p-64));
    else
        return fma(cast<float>(cast<std::int32_t>(bits >> 1)), Exp<float>(0x1p-31f), Exp<float>(0x1p-32f));
}

/// c[0] + x (c[1] + x (c[2] + ...)), where c[k] is coefficient(k).
template <class T, class F>
Exp<T> horner(Exp<T> x, int degree, F coefficient) {
    Exp<T> sum = coefficient(degree);
    for (int k = degree - 1; k >= 0; --k) sum = fma(sum, x, coefficient(k));
    return sum;
}

/// The magnitude of a normal number, exceeded with probability t. M. Giles, "Approximating the erfinv Function" (GPU
/// Computing Gems, Jade Edition, 2012), single precision: sqrt(2) erfinv(1 - t).
inline Exp<float> normal_magnitude(Exp<float> t) {
    static constexpr float centre[] = {1.50140941f,     0.246640727f,   -0.00417768164f, -0.00125372503f, 0.00021858087f,
                                       -4.39150654e-6f, -3.5233877e-6f, 3.43273939e-7f,  2.81022636e-8f};
    static constexpr float tail[] = {2.83297682f,     1.00167406f,    0.00943887047f,  -0.0076224613f,  0.00573950773f,
                                     -0.00367342844f, 0.00134934322f, 0.000100950558f, -0.000200214257f};
    const Exp<float> w = -log(t * (2.f - t));
    const Exp<bool> central = w < 5.f;
    const Exp<float> x = select(central, w - 2.5f, sqrt(w) - 3.f);
    auto coefficient = [&](int k) { return select(central, Exp<float>(centre[k]), Exp<float>(tail[k])); };
    return (1.f - t) * horner<float>(x, 8, coefficient) * 1.41421356f;
}

/// -log(t / 2) for t in (0, 1], not subnormal. t = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), and log(1 + f) =
/// 2 artanh(s) for s = f / (2 + f), as in Muller, Elementary Functions, ch. 11. Its absolute error is that of rounding;
/// log() has a small relative error where the logarithm is near 0 as well, and takes twice as many operations.
inline Exp<double> minus_log_of_half(Exp<double> t) {
    static constexpr double artanh[] = {2.0,
                                        0x1.5555555555592p-1,
                                        0x1.999999997feedp-2,
                                        0x1.24924941e5b8cp-2,
                                        0x1.c71c520f93f4ep-3,
                                        0x1.74663e14f97ffp-3,
                                        0x1.39a1c74a15851p-3,
                                        0x1.2f052a425fb23p-3};
    const std::uint64_t one = 0x3ff0000000000000, root_of_half = 0x3fe6a09e667f3bcd, mantissa = 0x000fffffffffffff;
    const Exp<std::uint64_t> bits = bit_cast<std::uint64_t>(t) + (one - root_of_half);
    const Exp<double> biased = bit_cast<double>((bits >> 52) | std::uint64_t{0x4330000000000000});  // 2^52 + 1023 + k
    const Exp<double> f = bit_cast<double>((bits & mantissa) + root_of_half) - 1.0, s = f / (f + 2.0);
    auto coefficient = [&](int k) { return Exp<double>(artanh[k]); };
    const Exp<double> log_of_mantissa = s * horner<double>(s * s, 7, coefficient);
    return fma(0x1p52 + 1024 - biased, Exp<double>(0x1.62e42fefa39efp-1), -log_of_mantissa);
}

/// The same in double precision, with an error below 1e-15 max(1, result). A quotient of polynomials in sqrt(-log(t / 2)),
/// as in Hastings, Approximations for Digital Computers (1955), sheet 67, is good on the whole interval, so that no lane has
/// to choose between coefficients. These are minimax for 2^-65 <= t / 2 <= 1/2, found by Lawson's iteration.
inline Exp<double> normal_magnitude(Exp<double> t) {
    static constexpr double numerator[] = {
        -0x1.eb319b6d31692p1, -0x1.38a6660de0081p6, -0x1.2475d0fab7696p8, -0x1.a2ce7aa74b654p7, 0x1.08ecb62178eb3p8,
        0x1.ac972244ad38bp8,  0x1.ce5869fabfb9ep7,  0x1.bfe88beab3e8fp5,  0x1.512e541411036p2,  0x1.12c8f05648f34p-3};
    static constexpr double denominator[] = {0x1.p0,
                                             0x1.e76314cd0ccc4p4,
                                             0x1.74aad8913bd4ep7,
                                             0x1.894a00f8e6e01p8,
                                             0x1.6dc8ef44f4abep8,
                                             0x1.568f8f0a5f02ap7,
                                             0x1.3ef029dab5c89p5,
                                             0x1.dcebe928b5232p1,
                                             0x1.8497dbf2393bep-4};
    const Exp<double> x = sqrt(minus_log_of_half(t));
    auto above = [&](int k) { return Exp<double>(numerator[k]); };
    auto below = [&](int k) { return Exp<double>(denominator[k]); };
    return horner<double>(x, 9, above) / horner<double>(x, 8, below);
}

/// A standard normal number: a magnitude by inversion, and a sign from the bit that the magnitude does not use.
template <Real T>
Exp<T> standard_normal(BitsOf<T> bits) {
    if constexpr (std::is_same_v<T, half>) {
        return cast<half>(standard_normal<float>(bits));
    } else if constexpr (std::is_same_v<T, float>) {
        const WordExp magnitude = bit_cast<std::uint32_t>(normal_magnitude(positive_unit<float>(bits)));
        return bit_cast<float>(magnitude ^ (bits << 31));
    } else {
        const Exp<std::uint64_t> magnitude = bit_cast<std::uint64_t>(normal_magnitude(positive_unit<double>(bits << 1)));
        return bit_cast<double>(magnitude ^ (bits & (std::uint64_t{1} << 63)));
    }
}

}  // namespace detail
}  // namespace sinter::random
