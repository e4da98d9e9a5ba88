// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts, sums and extremes per bin. Bins are computed where they are used: generated input is never read from memory.
#pragma once

#include "common.hpp"

namespace programs {

inline constexpr auto plus = [](auto a, auto b) { return a + b; };

/// The number of indices that name each bin; -1 names none.
template <ArrayLike A>
Delayed<std::int32_t> count_bins(std::int64_t bins, const A& indices) {
    auto ones = map([](auto) { return Exp<std::int32_t>(1); }, indices);
    return histogram(bins, plus, 0, indices, ones);
}

inline auto bytes(std::int64_t n) {
    return generate(shape(n), [](Exp<std::int64_t> i) { return below(31, i, 256); });
}
inline auto skewed(std::int64_t n) {
    return generate(shape(n), [](Exp<std::int64_t> i) {
        auto u = unit32(32, i);
        return cast<std::int32_t>(256 * u * u * u);
    });
}
inline auto many(std::int64_t n) {
    return generate(shape(n), [](Exp<std::int64_t> i) { return below(33, i, 1 << 20); });
}
/// Some indices are beyond the last of 256 bins; their values are dropped.
inline auto outside(std::int64_t n) {
    return generate(shape(n), [](Exp<std::int64_t> i) {
        auto bin = below(34, i, 300);
        return select(bin < 256, bin, -1);
    });
}

inline Delayed<double> sums_of_bins(std::int64_t n) {
    auto values = generate(shape(n), [](Exp<std::int64_t> i) { return unit64(35, i); });
    return histogram(256, plus, 0., bytes(n), values);
}

using Extremes = std::tuple<std::int32_t, std::int32_t>;
inline Delayed<Extremes> extremes_of_bins(std::int64_t n) {
    auto values = generate(shape(n), [](Exp<std::int64_t> i) {
        auto x = cast<std::int32_t>(below(36, i, 1u << 31));
        return std::tuple(x, x);
    });
    auto widen = [](Exp<Extremes> a, Exp<Extremes> b) {
        auto [low_a, high_a] = a;
        auto [low_b, high_b] = b;
        return std::tuple(min(low_a, low_b), max(high_a, high_b));
    };
    return histogram(256, widen, Extremes{0x7fffffff, -1}, bytes(n), values);
}

}  // namespace programs
