// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over arrays and in functions.
#include "table.hpp"

namespace derivatives {

namespace {

using Real = Exp<double>;
using Index = Exp<Long>;

/// Heat that spreads the faster, the hotter the place is.
Delayed<double, 0> heat(Delayed<double> start, Index steps) {
    auto flow = [](auto s) {
        const Real right = (1.0 + s(0) * s(0)) * (s(1) - s(0)), left = (1.0 + s(-1) * s(-1)) * (s(0) - s(-1));
        return s(0) + 0.05 * (right - left);
    };
    auto step = [=](Index, Delayed<double> u) { return stencil(flow, boundary::clamp, u); };
    const Delayed<double> end = for_loop(steps, step, start);
    return sum(end * end);
}

/// The mean value of Asian calls on paths that numbers between 0 and 1 drive, a row each.
Delayed<double, 0> option(Real price, Real rate, Real volatility, Delayed<double, 2> noise) {
    const Index steps = extent(noise, 1);
    auto path = [=](Index i) {
        auto step = [=](Index k, Real s, Real total) {
            const Real next = s * exp(rate * 0.01 + volatility * (noise(i, k) - 0.5));
            return std::tuple(next, total + next);
        };
        auto [last, total] = for_loop(steps, step, price, Real(0.0));
        const Real mean = total / cast<double>(steps);
        return select(mean > price, mean - price, 0.0);
    };
    return sum(map(path, iota(extent(noise, 0)))) / cast<double>(extent(noise, 0));
}

}  // namespace

void rows_of_loops(const Table& table) {
    auto of_start = [](Delayed<double> u, Index steps) { return value_and_grad(heat)(u, steps); };
    table.compare("heat 100000, 1000 steps", 6, heat, of_start, vector(100000, 0, 1), Long(1000));
    table.compare("option pricing 100000 x 15", 2.5, option, value_and_gradients<0, 1, 2>(option), 1.0, 0.05, 0.2,
                  matrix(100000, 15, 0, 1));
}

}  // namespace derivatives
