// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Prices of European calls and puts, written as formulas on whole arrays.
#pragma once

#include "common.hpp"

namespace programs {

using Vector = Delayed<double>;

inline Vector exact_distribution(Vector x) { return erfc(x * -0.70710678118654752440) / 2.; }

/// Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.2.17.
inline Vector polynomial_distribution(Vector x) {
    Vector k = 1. / (1. + 0.2316419 * abs(x));
    Vector p = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    Vector t = 0.39894228040143267794 * exp(-x * x / 2.) * p;
    return select(x > 0., 1. - t, t);
}

struct Prices {
    Vector call, put;
};

/// `distribution` is the distribution function of normal random numbers.
inline Prices black_scholes(Vector price, Vector strike, Vector years, double rate, double volatility,
                            Vector (*distribution)(Vector)) {
    Vector spread = volatility * sqrt(years);
    Vector d1 = (log(price / strike) + (rate + volatility * volatility / 2) * years) / spread;
    Vector p1 = distribution(d1), p2 = distribution(d1 - spread);
    Vector discounted = strike * exp(-rate * years);
    return {price * p1 - discounted * p2, discounted * distribution(spread - d1) - price * distribution(-d1)};
}

struct Contracts {
    Array<double> price, strike, years;
};
inline Contracts generated_options(std::int64_t n) {
    auto uniform = [=](std::uint64_t stream, double low, double width) {
        return make_input(n, [=](Exp<std::int64_t> i) { return low + width * unit64(stream, i); });
    };
    return {uniform(21, 5, 25), uniform(22, 1, 99), uniform(23, 0.25, 9.75)};
}

}  // namespace programs
