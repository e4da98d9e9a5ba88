// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the parameters of a volatility smile from option prices by the method of Levenberg and Marquardt, which needs
/// derivatives of the prices with respect to the parameters, and small linear systems. Prices by Black and Scholes, "The
/// Pricing of Options and Corporate Liabilities" (1973).
#pragma once

#include <sinter/linalg.hpp>

#include "common.hpp"

namespace programs {

/// sigma(k) = a + b m + c m^2, where m is the logarithm of strike over spot; a, b, c are the parameters.
inline Delayed<double> smile(const Delayed<double>& parameters, const Delayed<double>& strikes) {
    return map(
        [=](Exp<double> strike) {
            const auto m = log(strike / 100.0);
            return parameters(Exp<std::int64_t>(0)) +
                   (parameters(Exp<std::int64_t>(1)) + parameters(Exp<std::int64_t>(2)) * m) * m;
        },
        strikes);
}

/// Calls on a spot of 100 without interest, one year before expiry.
inline Delayed<double> call_prices(const Delayed<double>& parameters, const Delayed<double>& strikes) {
    return map(
        [](Exp<double> strike, Exp<double> sigma) {
            auto normal = [](const auto& x) { return 0.5 * erfc(-x * 0.7071067811865476); };
            const auto up = log(100.0 / strike) / sigma + 0.5 * sigma;
            return 100.0 * normal(up) - strike * normal(up - sigma);
        },
        strikes, smile(parameters, strikes));
}

/// One step of the method: returns the next parameters, and the sum of the squared errors for the current ones.
inline auto calibration_step(const Delayed<double>& parameters, const Delayed<double>& strikes,
                             const Delayed<double>& market, Exp<double> damping) {
    auto errors = [](Delayed<double> p, Delayed<double> k, Delayed<double> m) { return call_prices(p, k) - m; };
    const Delayed<double> error = errors(parameters, strikes, market);
    const Delayed<double, 2> slope = jacfwd(errors)(parameters, strikes, market);
    auto damped = [=](auto i, auto j, auto x) { return select(i == j, x * (1.0 + damping), x); };
    const Delayed<double, 2> normal = map_indexed(damped, matmul(transpose(slope), slope));
    return std::tuple(parameters - solve(normal, matmul(error, slope)), sum(error * error));
}

}  // namespace programs
