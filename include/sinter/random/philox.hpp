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

/// The upper and the lower half of a product.
inline Words<std::uint32_t, 2> multiply(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t product = std::uint64_t{a} * b;
    return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}
inline Words<Exp<std::uint32_t>, 2> multiply(Exp<std::uint32_t> a, std::uint32_t b) {
    const Exp<std::uint64_t> product = cast<std::uint64_t>(a) * std::uint64_t{b};
    return {cast<std::uint32_t>(product >> 32), cast<std::uint32_t>(product)};
}

}  // namespace detail

/// The block of random words of a counter under a key.
template <Word W>
Words<W, 4> philox(Words<W, 4> counter, Words<W, 2> key) {
    for (int round = 0; round < 10; ++round) {
        if (round > 0) key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
        const auto [high0, low0] = detail::multiply(counter[0], 0xD2511F53u);
        const auto [high1, low1] = detail::multiply(counter[2], 0xCD9E8D57u);
        counter = {high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0};
    }
    return counter;
}

}  // namespace sinter::random
