// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Prices of call options under stochastic volatility: an alternating-direction implicit scheme, backwards in time, for all
/// strikes at once. It follows the program of the benchmark set FinPar. The drifts of the model are zero, and their terms
/// are left out.
#pragma once

#include "tridiagonal.hpp"

namespace programs {

template <class Real>
struct Model {
    std::int64_t strikes, nx, ny, nt;
    Real s0, t, alpha, nu, beta;
};

/// How the price and its volatility move, which a model is fitted by: numbers, or Exps. exp(level) is a factor of the
/// initial volatility.
template <class Parameter>
struct Moves {
    Parameter level, nu, beta;
};

/// The weights of the neighbours before, at and after a point.
template <class Real>
using Weights = std::array<Real, 3>;

/// The second derivative on a grid; zero at its ends.
template <class Real>
Delayed<Weights<Real>> second_difference(const Delayed<Real>& grid, std::int64_t n) {
    auto weights = stencil(
        [](auto g) {
            auto l = g(0) - g(-1), u = g(1) - g(0);
            return std::array{2 / l / (l + u), -2 * (1 / l + 1 / u) / (l + u), 2 / u / (l + u)};
        },
        boundary::clamp, grid);
    return map_indexed(
        [=](Exp<std::int64_t> i, Exp<Weights<Real>> w) { return select(i == 0 || i == n - 1, Weights<Real>{}, w); },
        weights);
}

/// Prices x and logarithms of volatilities y, with the weights of their second differences, and where today is.
template <class Real>
struct Grid {
    Array<Real> x, y;
    Array<Weights<Real>> dxx, dyy;
    std::int64_t ix, iy;
};
template <class Real>
Grid<Real> grid_of(const Model<Real>& m) {
    using Index = Exp<std::int64_t>;
    const Real dx = (20 * m.alpha * m.s0 * std::sqrt(m.t)) / static_cast<Real>(m.nx);
    const Real dy = (10 * m.nu * std::sqrt(m.t)) / static_cast<Real>(m.ny);
    const auto ix = static_cast<std::int64_t>(m.s0 / dx), iy = m.ny / 2;
    const Real left = m.s0 - static_cast<Real>(ix) * dx, low = std::log(m.alpha) - static_cast<Real>(iy) * dy;
    const Array<Real> x = run(generate(shape(m.nx), [=](Index i) { return cast<Real>(i) * dx + left; }));
    const Array<Real> y = run(generate(shape(m.ny), [=](Index j) { return cast<Real>(j) * dy + low; }));
    return {x, y, run(second_difference<Real>(x, m.nx)), run(second_difference<Real>(y, m.ny)), ix, iy};
}

/// The prices for strikes 0, 0.001, 0.002, ..., on the grid of the model.
template <class Real, class Parameter>
Delayed<Real> option_values(const Model<Real>& m, const Grid<Real>& grid, const Moves<Parameter>& moves) {
    using Index = Exp<std::int64_t>;
    using Number = Exp<Real>;
    using Field = Delayed<Real, 2>;  // y, x
    const Real half = Real(0.5);
    const Array<Real>&x = grid.x, &y = grid.y;
    const Array<Weights<Real>>&dxx = grid.dxx, &dyy = grid.dyy;
    const std::int64_t ix = grid.ix, iy = grid.iy;

    auto time = [=](Index g) { return m.t * cast<Real>(g) / static_cast<Real>(m.nt - 1); };
    auto all = shape(m.ny, m.nx);
    auto neighbours_x = [](auto s) { return std::array{s(0, -1), s(0, 0), s(0, 1)}; };
    auto neighbours_y = [](auto s) { return std::array{s(-1, 0), s(0, 0), s(1, 0)}; };
    auto apply = [](Exp<Weights<Real>> w, Exp<Weights<Real>> f) { return w[0] * f[0] + w[1] * f[1] + w[2] * f[2]; };

    auto step = [=](Index round, Field f) {
        Index g = m.nt - 2 - round;
        Number now = time(g), q = 1 / (time(g + 1) - now);
        auto along_x = generate(all, [=](Index j, Index i) {
            Number variance = exp(2 * (moves.beta * log(x(i)) + (y(j) + moves.level) - half * moves.nu * moves.nu * now));
            Exp<Weights<Real>> d = dxx(i);
            return std::array{half * variance * d[0], half * variance * d[1], half * variance * d[2]};
        });
        auto along_y = generate(all, [=](Index j, Index) {
            Exp<Weights<Real>> d = dyy(j);
            const auto variance = half * moves.nu * moves.nu;
            return std::array{variance * d[0], variance * d[1], variance * d[2]};
        });
        auto implicit = [=](const auto& weights, const Field& right, int along) {
            auto a = map([=](Exp<Weights<Real>> w) { return -half * w[0]; }, weights);
            auto b = map([=](Exp<Weights<Real>> w) { return q - half * w[1]; }, weights);
            auto c = map([=](Exp<Weights<Real>> w) { return -half * w[2]; }, weights);
            return solve_tridiagonals<Real>(a, b, c, right, along);
        };
        Field v = map(apply, along_y, stencil(neighbours_y, boundary::clamp, f));
        Field u = map([=](Number old, Number xx, Number yy) { return q * old + half * xx + yy; }, f,
                      map(apply, along_x, stencil(neighbours_x, boundary::clamp, f)), v);
        u = implicit(along_x, u, 1);
        Field right = map([=](Number uu, Number vv) { return q * uu - half * vv; }, u, v);
        return implicit(along_y, right, 0);
    };
    auto value = [=](Number strike) {
        Field payoff = generate(all, [=](Index, Index i) { return max(x(i) - strike, Real(0)); });
        Field values = for_loop(m.nt - 1, step, payoff);
        return values(iy, ix);
    };
    return vmap(value, generate(shape(m.strikes), [](Index k) { return Real(0.001) * cast<Real>(k); }));
}
template <class Real>
Delayed<Real> option_values(const Model<Real>& m) {
    return option_values(m, grid_of(m), Moves<Real>{Real(0), m.nu, m.beta});
}

}  // namespace programs
