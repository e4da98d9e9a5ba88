// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gradient descent with a step that adapts itself, of functions of a few numbers whose gradients are taken in a mode of
/// choice: the solver of GradBench's particle and saddle.
#pragma once

#include "common.hpp"

#include <array>

namespace gradbench {

template <std::size_t N>
using Point = Exp<std::array<double, N>>;
template <std::size_t N>
using Coordinates = std::array<Real, N>;

enum class Mode { forward, reverse };

template <Mode M, std::size_t N, class F>
Point<N> gradient(const F& f, Point<N> x) {
    if constexpr (M == Mode::reverse) {
        return std::get<0>(vjp(f, x).second(1.0));
    } else {
        Coordinates<N> slopes;
        for (std::size_t k = 0; k < N; ++k) {
            Coordinates<N> unit;
            for (std::size_t j = 0; j < N; ++j) unit[j] = j == k ? 1.0 : 0.0;
            slopes[k] = jvp(f, primals(x), tangents(Point<N>(unit))).second;
        }
        return slopes;
    }
}

template <std::size_t N>
Real norm(Point<N> x) {
    Real square = 0.0;
    for (std::size_t k = 0; k < N; ++k) square += x[k] * x[k];
    return sqrt(square);
}
template <std::size_t N>
Point<N> moved(Point<N> x, Real step, Point<N> direction) {
    Coordinates<N> made;
    for (std::size_t k = 0; k < N; ++k) made[k] = x[k] + step * direction[k];
    return made;
}

/// Where f is least. The step doubles after ten iterations that gain, and halves after one that does not; the search ends
/// where the gradient or a step is shorter than 1e-5.
template <Mode M, std::size_t N, class F>
Point<N> argmin(const F& f, Point<N> start) {
    auto goes_on = [](Point<N>, Real, Point<N>, Real, Index, Exp<bool> going) { return going; };
    auto iteration = [&](Point<N> x, Real value, Point<N> slope, Real step, Index gains, Exp<bool>) {
        auto stop = [=] { return std::tuple(x, value, slope, step, gains, Exp<bool>(false)); };
        auto stay = [=](Real next_step) { return std::tuple(x, value, slope, next_step, Index(0), Exp<bool>(true)); };
        auto go = [&] {
            const Point<N> next = moved(x, -step, slope);
            auto compare = [&] {
                const Real there = f(next);
                auto gain = [&] {
                    return std::tuple(next, there, gradient<M, N>(f, next), step, gains + 1, Exp<bool>(true));
                };
                return cond(there < value, gain, [&] { return stay(step / 2.0); });
            };
            return cond(norm<N>(moved(x, Real(-1.0), next)) <= 1e-5, stop, compare);
        };
        return cond(norm<N>(slope) <= 1e-5, stop, [&] { return cond(gains == 10, [&] { return stay(step * 2.0); }, go); });
    };
    auto last = while_loop(goes_on, iteration, start, f(start), gradient<M, N>(f, start), 1e-5, Index(0), Exp<bool>(true));
    return std::get<0>(last);
}

template <Mode M, std::size_t N, class F>
Point<N> argmax(const F& f, Point<N> start) {
    return argmin<M, N>([&](Point<N> x) { return -f(x); }, start);
}

}  // namespace gradbench
