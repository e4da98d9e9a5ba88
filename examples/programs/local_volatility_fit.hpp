// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fits the model of local_volatility.hpp to prices by gradient descent: the gradient goes back through all time steps of
/// the partial differential equation. The length of a step follows from the last two gradients: J. Barzilai and J. M.
/// Borwein, "Two-Point Step Size Gradient Methods" (1988).
#pragma once

#include "local_volatility.hpp"

namespace programs {

/// The prices by three parameters: the logarithm of a factor of the volatility at today's price, nu and beta. Where the
/// price is today's, beta does not change the volatility, so that the parameters have effects of their own.
inline Delayed<double> fitted_values(const Model<double>& m, const Grid<double>& grid, const Delayed<double>& parameters) {
    const Exp<double> level = parameters(0), nu = parameters(1), beta = parameters(2);
    return option_values(m, grid, Moves<Exp<double>>{level + (m.beta - beta) * std::log(m.s0), nu, beta});
}

/// The mean squared error of the prices.
inline auto fitting_error(const Model<double>& m, const Grid<double>& grid) {
    return [=](Delayed<double> parameters, Delayed<double> market) {
        const auto error = fitted_values(m, grid, parameters) - market;
        return sum(error * error) / static_cast<double>(m.strikes);
    };
}

/// One step: the next parameters, the error of these, and its gradient. `length`: of the step, if there is no step before.
inline auto descent_step(const Model<double>& m, const Grid<double>& grid) {
    return [=](Delayed<double> parameters, Delayed<double> before, Delayed<double> gradient_before, Delayed<double> market,
               Exp<double> length) {
        const auto [error, gradient] = value_and_grad(fitting_error(m, grid))(parameters, market);
        const auto moved = parameters - before, turned = gradient - gradient_before;
        const Exp<double> by_change = abs(sum(moved * turned)() / sum(turned * turned)());
        const Exp<double> factor = select(length > 0.0, length / sqrt(sum(gradient * gradient)()), by_change);
        return std::tuple(parameters - factor * gradient, error, gradient);
    };
}

/// The errors as a curve of their logarithms over the steps, from 1 at the top down to `least`, with a line for each power
/// of ten: red, green, blue.
inline Delayed<std::uint8_t, 3> picture_of_descent(const Delayed<double>& errors, double least, std::int64_t rows,
                                                   std::int64_t columns) {
    const double decades = -std::log10(least), height = static_cast<double>(rows - 1);
    const Delayed<double> levels = log10(max(errors, least));
    const auto row_of = [=](Exp<std::int64_t> column) {
        const Exp<double> step = cast<double>(column) * cast<double>(size(errors) - 1) / static_cast<double>(columns - 1);
        const Exp<std::int64_t> k = min(cast<std::int64_t>(step), size(errors) - 2);
        const Exp<double> part = step - cast<double>(k);
        return -((1.0 - part) * levels(k) + part * levels(k + 1)) / decades * height;
    };
    const Delayed<double> curve = generate(shape(columns), row_of);
    return generate(shape(rows, columns, 3), [=](auto i, auto j, auto channel) {
        const Exp<double> here = curve(j), earlier = curve(max(j - 1, Exp<std::int64_t>(0))), row = cast<double>(i);
        const auto on_curve = row > min(here, earlier) - 1.5 && row < max(here, earlier) + 1.5;
        const auto line = abs(row * (decades / height) - rint(row * (decades / height))) * (height / decades) < 0.5;
        const auto behind = select(line, Exp<std::int64_t>(215), 255);
        const auto blue = select(channel == 0, Exp<std::int64_t>(40), select(channel == 1, Exp<std::int64_t>(90), 180));
        return cast<std::uint8_t>(select(on_curve, blue, behind));
    });
}

}  // namespace programs
