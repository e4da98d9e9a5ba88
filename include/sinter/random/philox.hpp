// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Philox4x32-10: a counter-based generator, a keyed bijection of four words. Salmon, Moraes, Dror and Shaw, "Parallel
/// Random Numbers: As Easy as 1, 2, 3" (SC 2011), section 3.3. A word is std::uint32_t, or Exp<std::uint32_t> inside a
/// function.
#pragma once

#include <sinter/exp_operators.hpp>

#include <array>
#include <cstdint>

namespace sinter::random {

/// A 32-bit word, known on the host or computed in a kernel.
template <class W>
concept Word = std::is_same_v<W, std::uint32_t> || std::is_same_v<W, Exp<std::uint32_t>>;

template <Word W, std::size_t N>
using Words = std::array<W, N>;

namespace detail {

/// A word held in 64 bits, of which the upper 32 may be anything. Numbers of 64 bits are made of these: where lanes have 64
/// bits, processors multiply the lower halves of two of them, and no word has to be narrowed and widened in between.
struct Held {
    Exp<std::uint64_t> bits;
};

inline Exp<std::uint64_t> lower_half(Exp<std::uint64_t> bits) { return (bits << 32) >> 32; }

inline Held operator^(Held a, Held b) { return {a.bits ^ b.bits}; }
inline Held operator^(Held a, Exp<std::uint32_t> b) { return {a.bits ^ cast<std::uint64_t>(b)}; }

inline constexpr std::array<std::uint32_t, 2> philox_multipliers = {0xD2511F53u, 0xCD9E8D57u},
                                              philox_steps = {0x9E3779B9u, 0xBB67AE85u};
inline constexpr std::uint32_t philox_rounds = 10;

/// The upper and the lower half of a product.
inline Words<std::uint32_t, 2> multiply(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t product = std::uint64_t{a} * b;
    return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}
inline Words<Exp<std::uint32_t>, 2> multiply(Exp<std::uint32_t> a, std::uint32_t b) {
    const Exp<std::uint64_t> product = cast<std::uint64_t>(a) * std::uint64_t{b};
    return {cast<std::uint32_t>(product >> 32), cast<std::uint32_t>(product)};
}
inline Exp<std::uint64_t> product(Held a, std::uint32_t b) {
    return lower_half(a.bits) * cast<std::uint64_t>(Exp<std::uint32_t>(b));
}
inline std::array<Held, 2> multiply(Held a, std::uint32_t b) {
    const Exp<std::uint64_t> both = product(a, b);
    return {Held{both >> 32}, Held{both}};
}

/// Key of a round, counted from 0.
template <Word W>
Words<W, 2> round_key(const Words<W, 2>& key, std::uint32_t round) {
    if (round == 0) return key;
    return {key[0] + round * philox_steps[0], key[1] + round * philox_steps[1]};
}

/// The first rounds, on words as such or held in 64 bits.
template <class H, Word W>
std::array<H, 4> philox_after(std::uint32_t rounds, std::array<H, 4> x, const Words<W, 2>& key) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const Words<W, 2> k = round_key(key, round);
        const auto [high0, low0] = multiply(x[0], philox_multipliers[0]);
        const auto [high1, low1] = multiply(x[2], philox_multipliers[1]);
        x = {high1 ^ x[1] ^ k[0], low1, high0 ^ x[3] ^ k[1], low0};
    }
    return x;
}

/// The block of words two by two: the second above the first, the fourth above the third. A product of the last round, its
/// halves exchanged, is such a pair but for the words that are added to its lower half.
inline std::array<Exp<std::uint64_t>, 2> philox_pairs(const std::array<Held, 4>& counter,
                                                      const Words<Exp<std::uint32_t>, 2>& key) {
    const std::array<Held, 4> x = philox_after<Held>(philox_rounds - 1, counter, key);
    const auto k = round_key(key, philox_rounds - 1);
    auto pair = [](Exp<std::uint64_t> both, Held added) { return ((both << 32) | (both >> 32)) ^ lower_half(added.bits); };
    return {pair(product(x[2], philox_multipliers[1]), x[1] ^ k[0]),
            pair(product(x[0], philox_multipliers[0]), x[3] ^ k[1])};
}

}  // namespace detail

/// The block of random words of a counter under a key.
template <Word W>
Words<W, 4> philox(const Words<W, 4>& counter, const Words<W, 2>& key) {
    return detail::philox_after<W>(detail::philox_rounds, counter, key);
}

}  // namespace sinter::random
