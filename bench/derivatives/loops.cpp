// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over arrays and in functions.
#include "table.hpp"

#include <complex>

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

/// Where the points c of the Mandelbrot set are after these steps: the sum of the squared distances from 0.
Delayed<double, 0> orbits(Delayed<std::complex<double>> points, Index steps) {
    using Complex = Exp<std::complex<double>>;
    auto end = [=](Complex c) {
        auto step = [=](Index, Complex z) { return z * z + c; };
        return norm(for_loop(steps, step, c));
    };
    return sum(map(end, points));
}

/// An array that a loop writes element by element, each from the one before.
Delayed<double, 0> built(Delayed<double> x) {
    auto step = [=](Index i, Delayed<double> made) { return update(made, index(i + 1), sin(made(i)) + x(i)); };
    const Delayed<double> made = for_loop(size(x), step, fill(shape(size(x) + 1), 0.5));
    return sum(made * made);
}

/// A matrix that a loop writes row by row, each from the one before.
Delayed<double, 0> built_of_rows(Delayed<double, 2> x) {
    auto step = [=](Index i, Delayed<double, 2> made) {
        return update(made, i + 1, all, sin(row(made, i)) * 0.9 + row(x, i));
    };
    const Delayed<double, 2> made = for_loop(extent(x, 0), step, fill(shape(extent(x, 0) + 1, extent(x, 1)), 0.5));
    return sum(flatten(made * made));
}

/// A recurrent network in which a matrix connects all states.
Delayed<double, 0> network(Delayed<double, 2> weights, Delayed<double, 2> sequence) {
    auto step = [=](Index t, Delayed<double> state) {
        auto next = [=](Delayed<double> weight, Real in) { return tanh(sum(weight * state)() + in); };
        return vmap(next, weights, row(sequence, t));
    };
    const Delayed<double> end = for_loop(extent(sequence, 0), step, fill(shape(extent(weights, 0)), 0.0));
    return sum(end * end);
}

/// A number that shrinks until it is below a threshold.
Exp<double> shrunk(Real start, Real rate) {
    auto step = [=](Real s) { return s - rate * s * s; };
    return while_loop([](Real s) { return s > 0.01; }, step, start);
}
/// The same of every number of an array, until the first is.
Delayed<double, 0> shrunk_together(Delayed<double> start, Real rate) {
    auto step = [=](Delayed<double> s) { return s - rate * s * s; };
    return sum(while_loop([](Delayed<double> s) { return s(0) > 0.01; }, step, start));
}

Array<std::complex<double>> complex_numbers(Long count, double low, double high) {
    const std::vector<double> all = numbers(2 * count, low, high);
    std::vector<std::complex<double>> made;
    for (std::size_t k = 0; k < all.size(); k += 2) made.emplace_back(all[k], all[k + 1]);
    return from(made);
}

/// Loops of which the derivative must not keep all states.
void rows_of_memory(const Table& table) {
    auto of_points = [](auto points, Index steps) { return value_and_grad(orbits)(points, steps); };
    table.compare("orbits 10^6, 200 steps", {0, 4}, orbits, of_points, complex_numbers(1000000, -0.3, 0.2), Long(200));
    auto of_summands = [](Delayed<double> x) { return value_and_grad(built)(x); };
    for (Long n : {1000, 10000, 100000, 1000000})
        table.compare("built by " + std::to_string(n) + " updates", 0, built, of_summands, vector(n, -1, 1));
    auto of_rows = [](Delayed<double, 2> x) { return value_and_grad(built_of_rows)(x); };
    table.compare("built by 4000 rows of 100", 0, built_of_rows, of_rows, matrix(4000, 100, -1, 1));
    const double rate = 99e-6;  // a million steps from 1 to 0.01
    table.compare("while of 10^6 steps, a number", {0, 4.2}, shrunk, value_and_gradients<0, 1>(shrunk), 1.0, rate);
    table.compare("while of 10^6 steps, an array", {0, 4.2}, shrunk_together, value_and_gradients<0, 1>(shrunk_together),
                  vector(1, 1, 1), rate);
}

}  // namespace

void rows_of_loops(const Table& table) {
    auto of_start = [](Delayed<double> u, Index steps) { return value_and_grad(heat)(u, steps); };
    table.compare("heat 100000, 1000 steps", 6, heat, of_start, vector(100000, 0, 1), Long(1000));
    table.compare("option pricing 100000 x 15", 2.5, option, value_and_gradients<0, 1, 2>(option), 1.0, 0.05, 0.2,
                  matrix(100000, 15, 0, 1));
    table.compare("network of 512, 100 steps", 0, network, value_and_gradients<0, 1>(network), matrix(512, 512, -0.05, 0.05),
                  matrix(100, 512, -1, 1, 1));
    rows_of_memory(table);
}

}  // namespace derivatives
