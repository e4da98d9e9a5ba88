// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cheapest way down a grid of costs, stepping down or diagonally: dynamic programming by rows. It follows the Rodinia
/// program of that name. The grid is never stored.
#pragma once

#include "common.hpp"

namespace programs {

/// Element n of the one-dimensional Sobol sequence with 30 bits: the Gray code of n with its bits reversed.
inline Exp<std::uint32_t> sobol(Exp<std::uint32_t> n) {
    Exp<std::uint32_t> x = n ^ (n >> 1);
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return (x >> 16 | x << 16) >> 2;
}

/// The cheapest sums of costs of the paths to each cell of the last row.
inline Delayed<std::int32_t> cheapest_paths(std::int64_t columns, std::int64_t rows) {
    auto cost = [=](Exp<std::int64_t> row, Exp<std::int64_t> column) {
        return cast<std::int32_t>(sobol(cast<std::uint32_t>(row * columns + column + 1)) % 10);
    };
    auto next = [=](Exp<std::int64_t> i, Delayed<std::int32_t> sums) {
        auto cheapest = stencil([](auto s) { return min(min(s(-1), s(0)), s(1)); }, boundary::clamp, sums);
        return map_indexed([=](Exp<std::int64_t> c, Exp<std::int32_t> sum) { return cost(i + 1, c) + sum; }, cheapest);
    };
    auto first = generate(shape(columns), [=](Exp<std::int64_t> c) { return cost(0, c); });
    return for_loop(rows - 1, next, first);
}

}  // namespace programs
