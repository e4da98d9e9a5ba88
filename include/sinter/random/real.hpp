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

/// A multiple of 2^-24 (2^-53 for double, 2^-11 for half) in [0, 1), each equally probable.
template <Real T>
Exp<T> unit(WordExp high, WordExp low) {
    if constexpr (std::is_same_v<T, double>)
        return cast<double>(cast<std::int64_t>(join(high, low) >> 11)) * 0x1p-53;
    else if constexpr (std::is_same_v<T, float>)
        return cast<float>(cast<std::int32_t>(high >> 8)) * 0x1p-24f;
    else
        return cast<half>(cast<float>(cast<std::int32_t>(high >> 21)) * 0x1p-11f);
}

/// (k + 1/2) 2^-31 (2^-63 for double), rounded, for all k from 0 on: in (0, 1], with a fine resolution near 0. For half it
/// is a float.
template <Real T>
auto positive_unit(WordExp high, WordExp low) {
    if constexpr (std::is_same_v<T, double>)
        return (cast<double>(cast<std::int64_t>(join(high, low) >> 1)) + 0.5) * 0x1p-63;
    else
        return (cast<float>(cast<std::int32_t>(high >> 1)) + 0.5f) * 0x1p-31f;
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

/// The same in double precision: M. J. Wichura, "Algorithm AS 241" (Applied Statistics 37, 1988), PPND16. The three branches
/// are quotients of polynomials of one degree, so that the coefficients are chosen and the quotient is computed once.
inline Exp<double> normal_magnitude(Exp<double> t) {
    static constexpr double numerators[3][8] = {
        {3.3871328727963666080, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
         4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
         1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
         2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7}};
    static constexpr double denominators[3][8] = {
        {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
         3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3},
        {1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
         1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
        {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
         1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
    const Exp<double> p = t * 0.5, q = 0.5 - p, r = sqrt(-log(p));
    const Exp<bool> central = q <= 0.425, near = r <= 5.0;
    const Exp<double> x = select(central, fma(-q, q, 0.180625), select(near, r - 1.6, r - 5.0));
    auto evaluate = [&](const double(&c)[3][8]) {
        auto coefficient = [&](int k) {
            return select(central, Exp<double>(c[0][k]), select(near, Exp<double>(c[1][k]), Exp<double>(c[2][k])));
        };
        return horner<double>(x, 7, coefficient);
    };
    return select(central, q, 1.0) * evaluate(numerators) / evaluate(denominators);
}

/// A standard normal number: a magnitude by inversion, and a sign from the bit that the magnitude does not use.
template <Real T>
Exp<T> standard_normal(WordExp high, WordExp low) {
    if constexpr (std::is_same_v<T, half>) {
        return cast<half>(standard_normal<float>(high, low));
    } else if constexpr (std::is_same_v<T, float>) {
        const WordExp magnitude = bit_cast<std::uint32_t>(normal_magnitude(positive_unit<float>(high, low)));
        return bit_cast<float>(magnitude ^ (high << 31));
    } else {
        const Exp<std::uint64_t> magnitude = bit_cast<std::uint64_t>(normal_magnitude(positive_unit<double>(high, low)));
        return bit_cast<double>(magnitude ^ (cast<std::uint64_t>(low) << 63));
    }
}

}  // namespace detail
}  // namespace sinter::random
