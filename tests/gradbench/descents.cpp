// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// particle and saddle of GradBench: derivatives in searches of functions that contain derivatives and searches.
#include "gradbench/functions/particle.hpp"
#include "gradbench/functions/saddle.hpp"

#include "gradbench/reference.hpp"

namespace gradbench::reference {

namespace {

/// The suite's gradient descent; f returns a value, and slope(x) its gradient.
template <class F, class G>
List<double> argmin(F f, G slope, List<double> x) {
    auto length = [](const List<double>& v) { return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0)); };
    double value = f(x), step = 1e-5;
    List<double> g = slope(x);
    for (int gains = 0; length(g) > 1e-5;) {
        if (gains == 10) {
            step *= 2, gains = 0;
            continue;
        }
        List<double> next = x, difference = x;
        for (std::size_t k = 0; k < x.size(); ++k) next[k] -= step * g[k], difference[k] -= next[k];
        if (length(difference) <= 1e-5) break;
        if (const double there = f(next); there < value) {
            x = next, value = there, g = slope(x), ++gains;
        } else {
            step /= 2, gains = 0;
        }
    }
    return x;
}

/// With the force as a formula.
template <class T>
T miss(const List<T>& w) {
    T at[2] = {0.0, 8.0}, velocity[2] = {0.75, 0.0};
    const T charges[2][2] = {{10.0, 10.0 - w[0]}, {10.0, 0.0}};
    while (real(at[1] + 0.1 * velocity[1]) > 0) {
        T force[2] = {0.0, 0.0};
        for (const auto& charge : charges) {
            const T dx = at[0] - charge[0], dy = at[1] - charge[1], square = dx * dx + dy * dy;
            force[0] += dx / (square * std::sqrt(square));
            force[1] += dy / (square * std::sqrt(square));
        }
        for (int k = 0; k < 2; ++k) at[k] += 0.1 * velocity[k];
        for (int k = 0; k < 2; ++k) velocity[k] += 0.1 * force[k];
    }
    const T place = at[0] - at[1] / velocity[1] * velocity[0];
    return place * place;
}

}  // namespace

TEST_CASE("particle of GradBench", "[gradbench]") {
    for (double start : {0.0, 0.5}) {
        CAPTURE(start);
        const auto expected =
            argmin(miss<double>, [](const List<double>& w) { return gradient(miss<Complex>, w); }, {start});
        if (start == 0) REQUIRE(expected[0] == Approx(0.2071918746486116));  // as the suite has it
        const Array<double> from_here = from(List<double>{start});
        auto on = [&](Real (*search)(Real)) {
            check(expected, [=](Vector starts) { return map(search, starts); }, from_here);
        };
        on(particle<Mode::forward, Mode::forward>);
        on(particle<Mode::forward, Mode::reverse>);
        on(particle<Mode::reverse, Mode::forward>);
        on(particle<Mode::reverse, Mode::reverse>);
    }
}

// The slope of the miss, in reverse mode through the loop, whose steps need gradients themselves.
TEST_CASE("the particle of GradBench as a program of arrays", "[gradbench]") {
    auto miss_of_arrays = [](Vector w) {
        auto potential = [=](Vector at) {
            auto inverse = [=](Real x, Real y) { return 1.0 / sqrt((at(0) - x) * (at(0) - x) + (at(1) - y) * (at(1) - y)); };
            return inverse(10.0, 10.0 - w(0)) + inverse(10.0, 0.0);
        };
        auto flies = [](Vector at, Vector velocity) { return at(1) + 0.1 * velocity(1) > 0.0; };
        auto fly = [=](Vector at, Vector velocity) {
            return std::tuple(at + 0.1 * velocity, velocity - 0.1 * grad(potential)(at));
        };
        const Vector start = from(List<double>{0, 8}), speed = from(List<double>{0.75, 0});
        auto [at, velocity] = while_loop(flies, fly, start, speed);
        const Real place = at(0) - at(1) / velocity(1) * velocity(0);
        return place * place;
    };
    for (double w : {0.0, 0.2}) {
        check({miss<double>({w})}, [=](Vector x) { return miss_of_arrays(x); }, from(List<double>{w}));
        check(gradient(miss<Complex>, {w}), [=](Vector x) { return grad(miss_of_arrays)(x); }, from(List<double>{w}));
    }
}

// Gradients by hand: that of the maximum over y is 2 x, because the way to it does not depend on x.
TEST_CASE("saddle of GradBench", "[gradbench]") {
    for (auto start : {List<double>{1, 1}, List<double>{0.5, -2}}) {
        auto square = [](const List<double>& v) { return v[0] * v[0] + v[1] * v[1]; };
        auto twice = [](const List<double>& v) { return List<double>{2 * v[0], 2 * v[1]}; };
        auto lowest = [&](const List<double>& at, double added) {
            return argmin([=](const List<double>& v) { return square(v) - added; }, twice, at);
        };
        const auto y_on_the_way = lowest(start, 0);
        const auto x = lowest(start, square(y_on_the_way)), y = lowest(start, square(x));
        if (start[1] == 1) REQUIRE(x[0] == Approx(8.246324826140356e-06));  // as the suite has it
        const List<double> expected{x[0], x[1], y[0], y[1]};
        const Array<std::array<double, 2>> from_here = from(std::vector<std::array<double, 2>>{{start[0], start[1]}});
        auto on = [&](Point<4> (*search)(Point<2>)) {
            auto numbers = [=](Delayed<std::array<double, 2>> starts) {
                const auto found = map(search, starts);
                return generate(shape(4), [=](Index k) {
                    const Point<4> p = found(Index(0));
                    return select(k == 0, p[0], select(k == 1, p[1], select(k == 2, p[2], p[3])));
                });
            };
            check(expected, numbers, from_here);
        };
        on(saddle<Mode::forward, Mode::forward>);
        on(saddle<Mode::forward, Mode::reverse>);
        on(saddle<Mode::reverse, Mode::forward>);
        on(saddle<Mode::reverse, Mode::reverse>);
    }
}

}  // namespace gradbench::reference
