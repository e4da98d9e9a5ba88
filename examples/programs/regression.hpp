// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Polynomials through noisy samples: least squares, and ridge regression, which keeps coefficients small (Hoerl and
/// Kennard, Ridge Regression: Biased Estimation for Nonorthogonal Problems, 1970).
#pragma once

#include "common.hpp"
#include "drawing.hpp"

#include <sinter/linalg.hpp>

namespace programs {

/// Row i: the powers 0, ..., degree of x[i].
inline Delayed<double, 2> powers(Delayed<double> x, std::int64_t degree) {
    return vmap([=](auto v) { return map([=](auto k) { return pow(v, cast<double>(k)); }, iota(degree + 1)); }, x);
}

/// The coefficients with the least sum of squared errors.
inline Delayed<double> fit(Delayed<double> x, Delayed<double> y, std::int64_t degree) {
    return least_squares(powers(x, degree), y);
}

/// The coefficients c with the least sum of squared errors and `penalty` times the sum of squares of c.
inline Delayed<double> fit_ridge(Delayed<double> x, Delayed<double> y, std::int64_t degree, Exp<double> penalty) {
    const auto a = powers(x, degree), normal = matmul(transpose(a), a);
    const auto raised = map_indexed([=](auto i, auto j, auto v) { return select(i == j, v + penalty, v); }, normal);
    return solve(raised, matmul(transpose(a), y));
}

/// The polynomial at the places x.
inline Delayed<double> values_at(Delayed<double> coefficients, Delayed<double> x) {
    return map(
        [=](auto v) {
            const auto last = size(coefficients) - 1;
            auto next = [=](Exp<std::int64_t> k, Exp<double> total) { return total * v + coefficients(last - k); };
            return for_loop(last + 1, next, Exp<double>(0.0));
        },
        x);
}

/// A blue and an orange curve and grey dots, x between -1 and 1, values between -0.4 and 1.4.
inline auto picture_of_fits(Delayed<double> curve, Delayed<double> other, Delayed<double> x, Delayed<double> y,
                            std::int64_t rows, std::int64_t columns) {
    const auto row_of = [=](auto v) { return (1.4 - v) / 1.8 * static_cast<double>(rows - 1); };
    const auto column_of = [=](auto u) { return (u + 1.0) / 2.0 * static_cast<double>(columns - 1); };
    const auto pixel = [=](auto u, auto v) {
        return std::tuple(cast<std::int64_t>(rint(row_of(v))), cast<std::int64_t>(rint(column_of(u))));
    };
    const auto samples = dots(map(pixel, x, y), rows, columns);
    return generate(shape(rows, columns, 3), [=](auto i, auto j, auto channel) {
        const auto near = [=](auto v) { return abs(row_of(v) - cast<double>(i)) < 1.5; };
        const auto behind = select(samples(i, j), Exp<std::int64_t>(150), 255);
        const auto second = select(near(other(j)), colour(channel, 235, 140, 40), behind);
        return cast<std::uint8_t>(select(near(curve(j)), colour(channel, 40, 90, 180), second));
    });
}

}  // namespace programs
