// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sobol points in the order of the Gray code (Antonov and Saleev 1979), with the direction numbers new-joe-kuo-6 of S. Joe
/// and F. Y. Kuo, "Constructing Sobol Sequences with Better Two-Dimensional Projections" (SIAM J. Sci. Comput. 30, 2008);
/// and with Owen's scrambling, hashed: B. Burley, "Practical Hash-based Owen Scrambling" (JCGT 9, 2020).
#pragma once

#include <sinter/control.hpp>
#include <sinter/random/key.hpp>
#include <sinter/random/real.hpp>

namespace sinter::random {

inline constexpr int sobol_dimensions = 64;

namespace detail {

/// A dimension's primitive polynomial (degree, inner coefficients) and its first direction numbers.
struct SobolPolynomial {
    std::size_t degree;
    std::uint32_t coefficients, first[9];
};
inline constexpr SobolPolynomial sobol_polynomials[sobol_dimensions] = {
    {0, 0, {}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
    {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
    {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
    {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
    {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
    {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
    {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
    {9, 8, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {9, 13, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {9, 16, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {9, 22, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {9, 25, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {9, 44, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {9, 47, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {9, 52, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {9, 55, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {9, 59, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {9, 62, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
};

/// The direction number of every bit of a point's number, scaled by 2^32.
constexpr std::array<std::uint32_t, 32> sobol_directions(const SobolPolynomial& p) {
    std::array<std::uint32_t, 32> v{};
    for (std::size_t i = 0; i < 32; ++i) {
        if (p.degree == 0 || i < p.degree) {
            v[i] = (p.degree == 0 ? 1 : p.first[i]) << (31 - i);
            continue;
        }
        v[i] = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
        for (std::size_t k = 1; k < p.degree; ++k)
            if ((p.coefficients >> (p.degree - 1 - k)) & 1) v[i] ^= v[i - k];
    }
    return v;
}

/// A row per dimension.
inline Array<std::uint32_t, 2> sobol_table(location where) {
    std::vector<std::uint32_t> numbers;
    for (const SobolPolynomial& p : sobol_polynomials)
        for (std::uint32_t direction : sobol_directions(p)) numbers.push_back(direction);
    return from(numbers, shape(sobol_dimensions, 32), where);
}

inline WordExp sobol_word(const Array<std::uint32_t, 2>& table, Exp<std::int64_t> number, Exp<std::int64_t> dimension) {
    const WordExp n = cast<std::uint32_t>(number), gray = n ^ (n >> 1);
    auto add_bit = [&](Exp<std::int64_t> bit, WordExp word) {
        const WordExp mask = 0u - ((gray >> cast<std::uint32_t>(bit)) & 1u);  // all ones where the bit is set
        return word ^ (mask & table(dimension, bit));
    };
    return for_loop(32, add_bit, 0u);
}

inline WordExp reverse_bits(WordExp x) {
    x = (x >> 16) | (x << 16);
    x = ((x & 0xFF00FF00u) >> 8) | ((x & 0x00FF00FFu) << 8);
    x = ((x & 0xF0F0F0F0u) >> 4) | ((x & 0x0F0F0F0Fu) << 4);
    x = ((x & 0xCCCCCCCCu) >> 2) | ((x & 0x33333333u) << 2);
    return ((x & 0xAAAAAAAAu) >> 1) | ((x & 0x55555555u) << 1);
}

/// Every bit is flipped or not by a hash of the bits above it.
inline WordExp owen_scrambled(WordExp word, WordExp seed) {
    WordExp x = reverse_bits(word);
    x = x ^ (x * 0x3d20adeau);
    x = x + seed;
    x = x * ((seed >> 16) | 1u);
    x = x ^ (x * 0x05526c56u);
    x = x ^ (x * 0x53a22864u);
    return reverse_bits(x);
}

template <Real T, class F>
auto sobol_points(const Shape<2>& shape, F word, location where) {
    if (shape.sizes[1].scalar.trace != 0 || shape.sizes[1].literal > sobol_dimensions)
        throw Limitation("sobol: the number of dimensions is a literal of " + std::to_string(sobol_dimensions) + " at most",
                         where);
    const auto table = sobol_table(where);
    auto element = [&](Exp<std::int64_t> number, Exp<std::int64_t> dimension) {
        const WordExp bits = word(sobol_word(table, number, dimension), dimension);
        if constexpr (std::is_same_v<T, double>)
            return unit<T>(cast<std::uint64_t>(bits) << 32);
        else
            return unit<T>(bits);
    };
    return generate(shape, element, where);
}

}  // namespace detail

/// Points of the unit cube, one per row: shape(points, dimensions), at most 2^32 and sobol_dimensions of them. The first is
/// 0.
template <Real T = float>
auto sobol(const Shape<2>& shape, location where = location::current()) {
    auto same = [](detail::WordExp word, Exp<std::int64_t>) { return word; };
    return detail::sobol_points<T>(shape, same, where);
}
/// The same points scrambled, every dimension with a seed of its own, derived from the key: each point is uniform.
template <Real T = float, Word W>
auto sobol(const BasicKey<W>& key, const Shape<2>& shape, location where = location::current()) {
    const detail::KeyReader words(key, where);
    auto scrambled = [&](detail::WordExp word, Exp<std::int64_t> dimension) {
        const detail::Blocks seeds{words(), dimension, Purpose::scramble};
        return detail::owen_scrambled(word, seeds()[0]);
    };
    return detail::sobol_points<T>(shape, scrambled, where);
}

}  // namespace sinter::random

namespace sinter {
using random::sobol;
}  // namespace sinter
