// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sobol points: well-spread points of the unit cube, by Gray code (Antonov and Saleev).
#pragma once

#include "contract.hpp"

#include <sinter/sinter.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace sobol {

inline constexpr int bits = 30;

/// A coordinate's primitive polynomial (degree, inner coefficients) and first direction numbers.
struct Polynomial {
    int degree, coefficients;
    std::uint32_t first[6];
};
inline constexpr Polynomial polynomials[contract::coordinates] = {
    {0, 0, {}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 7}},
    {3, 2, {1, 3, 3}},
    {4, 1, {1, 3, 3, 7}},
    {4, 4, {1, 3, 1, 15}},
    {5, 2, {1, 1, 3, 13, 25}},
    {5, 4, {1, 1, 5, 7, 29}},
    {5, 14, {1, 1, 3, 1, 21}},
    {5, 7, {1, 1, 7, 15, 25}},
    {5, 11, {1, 3, 7, 15, 15}},
    {5, 13, {1, 3, 3, 9, 25}},
    {6, 1, {1, 1, 5, 11, 19, 9}},
    {6, 16, {1, 3, 7, 9, 3, 27}},
};

/// The direction numbers of all bits, scaled by 2^30.
constexpr std::array<std::uint32_t, bits> directions(const Polynomial& p) {
    std::array<std::uint32_t, bits> v{};
    for (int i = 0; i < bits; ++i) {
        if (p.degree == 0 || i < p.degree) {
            v[i] = (p.degree == 0 ? 1 : p.first[i]) << (bits - 1 - i);
            continue;
        }
        v[i] = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
        for (int k = 1; k < p.degree; ++k)
            if ((p.coefficients >> (p.degree - 1 - k)) & 1) v[i] ^= v[i - k];
    }
    return v;
}

/// The direction numbers, one row per coordinate.
inline sinter::Array<std::uint32_t, 2> table() {
    std::vector<std::uint32_t> numbers;
    for (const Polynomial& p : polynomials)
        for (std::uint32_t direction : directions(p)) numbers.push_back(direction);
    return sinter::from(numbers, sinter::shape(contract::coordinates, bits));
}

/// Point `number` of the sequence; coordinates in (0, 1) for numbers from 1 on.
inline std::array<sinter::Exp<float>, contract::coordinates> point(const sinter::Array<std::uint32_t, 2>& table,
                                                                   sinter::Exp<std::int64_t> number) {
    using Word = sinter::Exp<std::uint32_t>;
    using Words = std::array<std::uint32_t, contract::coordinates>;
    const Word n = sinter::cast<std::uint32_t>(number);
    const Word gray = n ^ (n >> 1);
    const auto add_bit = [&](sinter::Exp<std::int64_t> bit, sinter::Exp<Words> words) {
        const Word mask = 0u - ((gray >> sinter::cast<std::uint32_t>(bit)) & 1u);  // all ones where the bit is set
        std::array<Word, contract::coordinates> next;
        for (int c = 0; c < contract::coordinates; ++c) next[c] = words[c] ^ (mask & table(c, bit));
        return next;
    };
    const auto words = sinter::for_loop(bits, add_bit, Words{});

    std::array<sinter::Exp<float>, contract::coordinates> x;
    for (int c = 0; c < contract::coordinates; ++c) x[c] = sinter::cast<float>(words[c]) * 0x1p-30f;
    return x;
}

}  // namespace sobol
