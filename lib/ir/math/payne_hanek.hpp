// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Payne and Hanek, Radian reduction for trigonometric functions (1983): x = m 2^e with an integer m. Of the bits of 2/pi,
/// only those matter whose product with x is neither a multiple of 4 nor too small. A window of them is multiplied by m,
/// modulo the window's size: its top two bits are the quadrant, the rest is the fraction of pi/2. A barrel shifter made of
/// selects cuts out the window, so lanes may have different exponents without a gather.
#pragma once

#include "ir/math/value.hpp"

#include <array>
#include <tuple>

namespace sinter::ir::math {

/// 2/pi in words of 32 bits; bit 32 (the first of the second word) has weight 1/2.
inline constexpr std::array<std::uint32_t, 41> two_over_pi_words = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026,
    0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
    0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
    0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

template <class Word, std::size_t Count>
using Limbs = std::array<Word, Count>;  ///< 32 bits each

/// Bits [start, start + 32 count) of two_over_pi_words, where start < 32 * 2^levels.
template <std::size_t Count, std::size_t Levels, class Word>
Limbs<Word, Count> window_of_two_over_pi(Word start) {
    Limbs<Word, Count + (std::size_t{1} << Levels)> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = Word(two_over_pi_words[i]);
    std::size_t left = words.size();
    for (std::size_t level = Levels; level-- > 0;) {
        const std::size_t step = std::size_t{1} << level;
        auto skip = (start & Word(std::uint64_t{32} << level)) != Word(0);
        left -= step;
        for (std::size_t i = 0; i < left; ++i) words[i] = select(skip, words[i + step], words[i]);
    }
    Word shift = start & Word(31), mask = Word(0xffffffff);
    Limbs<Word, Count> result;
    for (std::size_t i = 0; i < Count; ++i)
        result[i] = (((words[i] << Word(32) | words[i + 1]) << shift) >> Word(32)) & mask;
    return result;
}

/// The product of two numbers, most significant limb first, modulo 2^(32 * size of b).
template <class Word, std::size_t M, std::size_t N>
Limbs<Word, N> multiply_modulo(const Limbs<Word, M>& a, const Limbs<Word, N>& b) {
    Word mask = Word(0xffffffff);
    Limbs<Word, N> column;  // each a sum of few 32-bit halves
    column.fill(Word(0));
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            std::size_t weight = (M - 1 - i) + (N - 1 - j);  // from the least significant limb
            Word product = a[i] * b[j];
            if (weight < N) column[N - 1 - weight] = column[N - 1 - weight] + (product & mask);
            if (weight + 1 < N) column[N - 2 - weight] = column[N - 2 - weight] + (product >> Word(32));
        }
    for (std::size_t k = N; k-- > 0;) {
        if (k > 0) column[k - 1] = column[k - 1] + (column[k] >> Word(32));
        column[k] = column[k] & mask;
    }
    return column;
}

/// Splits 64 bits (the top limbs of x 2/pi mod 4) into the nearest quadrant and the rest in units of 2^-62.
template <class Word>
std::tuple<Word, Word> nearest_quadrant(Word top) {
    Word quadrant = (top + Word(std::uint64_t(1) << 61)) >> Word(62);
    return {quadrant, top - (quadrant << Word(62))};
}

/// x = n pi/2 + hi + lo for large x: (n mod 4, hi, lo); NaN for infinity and NaN. Here 2^17 <= x.
template <template <class> class V>
std::tuple<V<std::uint32_t>, V<float>, V<float>> payne_hanek(V<float> x) {
    using Word = V<std::uint64_t>;
    V<std::uint32_t> bits = as<std::uint32_t>(x);
    Word mantissa = to<std::uint64_t>((bits & std::uint32_t(0x7fffff)) | std::uint32_t(0x800000));
    Word start = to<std::uint64_t>((bits >> std::uint32_t(23)) - std::uint32_t(150 + 2 - 32));
    auto limbs = multiply_modulo(Limbs<Word, 1>{mantissa}, window_of_two_over_pi<3, 3>(start));
    auto [quadrant, rest] = nearest_quadrant(limbs[0] << Word(32) | limbs[1]);
    V<double> r = to<double>(as<std::int64_t>(rest)) * 0x1.921fb54442d18p-62;
    r = select(x < infinity<float>, r, V<double>(not_a_number<double>));
    V<float> hi = to<float>(r);
    return {to<std::uint32_t>(quadrant), hi, to<float>(r - to<double>(hi))};
}

/// Here 2^25 <= x. The fraction is kept to 126 bits: x may come as close as 2^-62 to a multiple of pi/2.
template <template <class> class V>
std::tuple<V<std::uint64_t>, V<double>, V<double>> payne_hanek(V<double> x) {
    using Word = V<std::uint64_t>;
    constexpr double half_pi_hi = 0x1.921fb54442d18p0, half_pi_lo = 0x1.1a62633145c07p-54;
    Word bits = as<std::uint64_t>(x), mask = Word(0xffffffff);
    Word mantissa = (bits & Word(mantissa_mask<double>)) | Word(mantissa_mask<double> + 1);
    Word start = (bits >> Word(52)) - Word(1075 + 2 - 32);
    auto limbs = multiply_modulo(Limbs<Word, 2>{mantissa >> Word(32), mantissa & mask}, window_of_two_over_pi<6, 5>(start));
    auto [quadrant, rest] = nearest_quadrant(limbs[0] << Word(32) | limbs[1]);
    V<double> high = to<double>(as<std::int64_t>(rest));
    Word left = rest - as<std::uint64_t>(to<std::int64_t>(high));
    V<double> low = to<double>(limbs[2] << Word(32) | limbs[3]) * 0x1p-126;
    Pair<V<double>> f = fast_two_sum(high * 0x1p-62, fma(to<double>(as<std::int64_t>(left)), V<double>(0x1p-62), low));
    V<double> h = f.hi * half_pi_hi;
    V<double> l = fma(f.hi, V<double>(half_pi_hi), -h) + fma(f.hi, V<double>(half_pi_lo), f.lo * half_pi_hi);
    Pair<V<double>> r = fast_two_sum(h, l);
    return {quadrant, select(x < infinity<double>, r.hi, V<double>(not_a_number<double>)), r.lo};
}

}  // namespace sinter::ir::math
