// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// V-cycles for a Poisson problem on a periodic cube: kernel MG of the NAS Parallel Benchmarks (Bailey et al., 1991). The
/// levels are unrolled when the graph is built.
#pragma once

#include "common.hpp"

namespace programs {

using Cube = Delayed<double, 3>;

/// The weights of a point, its 6 neighbours across faces, 12 across edges, and 8 across corners.
using StencilWeights = std::array<double, 4>;

inline constexpr StencilWeights poisson{-8. / 3, 0, 1. / 6, 1. / 12};
inline constexpr StencilWeights smoother_a{-3. / 8, 1. / 32, -1. / 64, 0};
inline constexpr StencilWeights smoother_b{-3. / 17, 1. / 33, -1. / 61, 0};
inline constexpr StencilWeights restriction{1. / 2, 1. / 4, 1. / 8, 1. / 16};
inline constexpr StencilWeights prolongation{1, 1. / 2, 1. / 4, 1. / 8};

inline Cube apply(const StencilWeights& weights, Cube u) {
    return stencil(
        [=](auto s) {
            Exp<double> total = weights[0] * s(0, 0, 0);
            for (int distance = 1; distance <= 3; ++distance) {
                if (weights[static_cast<std::size_t>(distance)] == 0) continue;
                Exp<double> ring = 0.;
                for (int i = -1; i <= 1; ++i)
                    for (int j = -1; j <= 1; ++j)
                        for (int k = -1; k <= 1; ++k)
                            if (i * i + j * j + k * k == distance) ring += s(i, j, k);
                total += weights[static_cast<std::size_t>(distance)] * ring;
            }
            return total;
        },
        boundary::wrap, u);
}

inline Cube restricted(Cube r, std::int64_t n) {
    return backpermute(
        shape(n / 2, n / 2, n / 2), [](auto i, auto j, auto k) { return std::tuple(2 * i + 1, 2 * j + 1, 2 * k + 1); },
        apply(restriction, r));
}

/// Interpolates to twice the extent: first to the odd points, and from there to those between.
inline Cube prolonged(Cube z, std::int64_t n) {
    auto spread = generate(shape(2 * n, 2 * n, 2 * n),
                           [=](auto i, auto j, auto k) { return select((i & j & k & 1) == 1, z(i / 2, j / 2, k / 2), 0.); });
    return apply(prolongation, spread);
}

inline Cube v_cycle(Cube r, std::int64_t n, const StencilWeights& smoother) {
    if (n == 2) return apply(smoother, r);
    Cube z = prolonged(v_cycle(restricted(r, n), n / 2, smoother), n / 2);
    return z + apply(smoother, r - apply(poisson, z));
}

struct MultigridClass {
    std::int64_t n, iterations;
    StencilWeights smoother;
};

inline Delayed<double, 0> residual_norm(Cube v, Cube u, std::int64_t n) {
    Cube r = v - apply(poisson, u);
    return sqrt(sum(flatten(r * r)) / static_cast<double>(n * n * n));
}

inline Cube solution(const MultigridClass& c, Cube v) {
    auto improve = [=](Exp<std::int64_t>, Cube u) { return u + v_cycle(v - apply(poisson, u), c.n, c.smoother); };
    return for_loop(c.iterations, improve, Cube(fill(shape(c.n, c.n, c.n), 0.)));
}

/// Zero except for ten points with 1 and ten with -1, where the benchmark's random numbers are largest and smallest.
inline Array<double, 3> right_hand_side(std::int64_t n) {
    // X(k + 1) = 5^13 X(k) mod 2^46; element p is X(p + 1), by repeated squaring.
    auto numbers = generate(shape(n * n * n), [](Exp<std::int64_t> p) {
        auto square = [=](Exp<std::int64_t> b, Exp<std::uint64_t> x, Exp<std::uint64_t> power) {
            auto bit = cast<std::uint64_t>(p + 1) >> cast<std::uint64_t>(b) & 1;
            return std::tuple(select(bit == 1, x * power, x), power * power);
        };
        auto x = std::get<0>(for_loop(40, square, Exp<std::uint64_t>(314159265), Exp<std::uint64_t>(1220703125)));
        return x & ((std::uint64_t{1} << 46) - 1);
    });
    auto ascending = argsort(numbers);
    auto smallest = take(ascending, 10), largest = drop(ascending, n * n * n - 10);
    auto v = scatter(scatter(fill(shape(n * n * n), 0.), smallest, fill(shape(10), -1.)), largest, fill(shape(10), 1.));
    return run(reshape(v, shape(n, n, n)));
}

}  // namespace programs
