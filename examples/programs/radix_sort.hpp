// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stable sorting by scans and scatters, a few bits of the key at a time, least significant bits first.
#pragma once

#include "common.hpp"

namespace programs {

/// Counts of all digits, with one more for this digit.
template <std::size_t Digits>
using Counts = std::array<std::int32_t, Digits>;

template <std::size_t Digits>
Exp<Counts<Digits>> count_of(Exp<std::uint32_t> digit) {
    std::array<Exp<std::int32_t>, Digits> counts;
    for (std::uint32_t d = 0; d < Digits; ++d) counts[d] = cast<std::int32_t>(digit == d);
    return counts;
}

template <std::size_t Digits>
inline constexpr auto add_counts = [](Exp<Counts<Digits>> a, Exp<Counts<Digits>> b) {
    std::array<Exp<std::int32_t>, Digits> sums;
    for (std::size_t d = 0; d < Digits; ++d) sums[d] = a[d] + b[d];
    return sums;
};

/// The new position of an element: after all with a smaller digit, and after those before it with the same digit.
template <std::size_t Digits>
Exp<std::int32_t> target(Exp<std::uint32_t> digit, Exp<Counts<Digits>> before, Exp<Counts<Digits>> total) {
    Exp<std::int32_t> smaller = 0, position = before[0];
    for (std::uint32_t d = 1; d < Digits; ++d) {
        smaller += total[d - 1];
        position = select(digit == d, smaller + before[d], position);
    }
    return position;
}

/// `elements` sorted by key(element), a uint32, `Bits` bits at a time; Bits has to divide 32.
template <int Bits = 1, class Key, class T>
Delayed<T> radix_sort(const Key& key, const Delayed<T>& elements) {
    constexpr std::size_t digits = std::size_t{1} << Bits;
    auto pass = [=](Exp<std::int64_t> k, Delayed<T> a) {
        auto digit = map(
            [=](Exp<T> e) { return key(e) >> cast<std::uint32_t>(k * Bits) & static_cast<std::uint32_t>(digits - 1); }, a);
        auto [before, total] = scan_with_total(add_counts<digits>, Counts<digits>{}, map(count_of<digits>, digit));
        auto targets =
            map([=, total = total](Exp<std::uint32_t> d, Exp<Counts<digits>> b) { return target<digits>(d, b, total()); },
                digit, before);
        return scatter(a, targets, a);
    };
    return for_loop(32 / Bits, pass, elements);
}

/// Keys whose order is the ascending order of numbers of other types: for floats -NaN, -infinity, ..., -0, +0, ...,
/// infinity, NaN.
inline Exp<std::uint32_t> ordered_key(Exp<std::uint32_t> x) { return x; }
inline Exp<std::uint32_t> ordered_key(Exp<std::int32_t> x) { return bit_cast<std::uint32_t>(x) ^ 0x80000000u; }
inline Exp<std::uint32_t> ordered_key(Exp<float> x) {
    auto b = bit_cast<std::uint32_t>(x);
    return b ^ select((b >> 31) == 1, Exp<std::uint32_t>(0xffffffffu), 0x80000000u);
}

template <int Bits = 1, class T>
Delayed<T> radix_sort(const Delayed<T>& keys) {
    return radix_sort<Bits>([](Exp<T> x) { return ordered_key(x); }, keys);
}

inline Array<std::uint32_t> sort_input(std::int64_t n) {
    return make_input(n, [](Exp<std::int64_t> i) { return cast<std::uint32_t>(bits(41, i) >> 32); });
}

}  // namespace programs
