// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threefry2x32-20 and Threefry4x32-20: counter-based generators that need no multiplication. Salmon, Moraes, Dror and Shaw,
/// "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011), section 3.2.
#pragma once

#include <sinter/random/philox.hpp>

namespace sinter::random {

namespace detail {

template <Word W>
W rotate_left(W word, std::uint32_t count) {
    return (word << count) | (word >> (32 - count));
}

/// The key, followed by the word that makes the exclusive or of all words a constant.
template <Word W, std::size_t N>
Words<W, N + 1> key_schedule(const Words<W, N>& key) {
    Words<W, N + 1> schedule;
    W parity = 0x1BD11BDAu;
    for (std::size_t i = 0; i < N; ++i) {
        schedule[i] = key[i];
        parity = parity ^ key[i];
    }
    schedule[N] = parity;
    return schedule;
}

/// Adds the key after every fourth round.
template <Word W, std::size_t N>
void inject(Words<W, N>& x, const Words<W, N + 1>& schedule, std::size_t number) {
    for (std::size_t i = 0; i < N; ++i) x[i] = x[i] + schedule[(number + i) % (N + 1)];
    x[N - 1] = x[N - 1] + static_cast<std::uint32_t>(number);
}

/// Adds b to a; b is rotated and mixed with the new a.
template <Word W>
void mix(W& a, W& b, std::uint32_t rotation) {
    a = a + b;
    b = rotate_left(b, rotation) ^ a;
}

}  // namespace detail

/// The block of random words of a counter under a key.
template <Word W>
Words<W, 2> threefry2(const Words<W, 2>& counter, const Words<W, 2>& key) {
    constexpr std::uint32_t rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    const auto schedule = detail::key_schedule<W, 2>(key);
    Words<W, 2> x = counter;
    detail::inject<W, 2>(x, schedule, 0);
    for (std::size_t round = 0; round < 20; ++round) {
        detail::mix(x[0], x[1], rotations[round % 8]);
        if (round % 4 == 3) detail::inject<W, 2>(x, schedule, round / 4 + 1);
    }
    return x;
}

template <Word W>
Words<W, 4> threefry4(const Words<W, 4>& counter, const Words<W, 4>& key) {
    constexpr std::uint32_t rotations[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
    const auto schedule = detail::key_schedule<W, 4>(key);
    Words<W, 4> x = counter;
    detail::inject<W, 4>(x, schedule, 0);
    for (std::size_t round = 0; round < 20; ++round) {
        const bool odd = round % 2 == 1;
        detail::mix(x[0], x[odd ? 3 : 1], rotations[round % 8][0]);
        detail::mix(x[2], x[odd ? 1 : 3], rotations[round % 8][1]);
        if (round % 4 == 3) detail::inject<W, 4>(x, schedule, round / 4 + 1);
    }
    return x;
}

}  // namespace sinter::random
