// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of vectors.
#include "gradbench/functions/ode.hpp"
#include "gradbench/functions/smooth.hpp"
#include "table.hpp"

#include <array>

namespace derivatives {

namespace {

using Floats = Delayed<float>;

Array<float> floats(Long n, double low, double high, unsigned seed = 0) {
    const std::vector<double> made = numbers(n, low, high, seed);
    return from(std::vector<float>(made.begin(), made.end()));
}

Delayed<float, 0> log_sum_exp(Floats x) {
    const Delayed<float, 0> largest = max(x);
    return largest + log(sum(exp(x - largest)));
}

/// The value of European calls, to be differentiated by all of its five arguments.
Delayed<double, 0> calls(Delayed<double> price, Delayed<double> strike, Delayed<double> time, Exp<double> rate,
                         Exp<double> volatility) {
    using Real = Exp<double>;
    auto normal = [](Real x) { return erfc(x * -0.70710678118654752440) / 2.0; };
    auto one = [=](Real s, Real k, Real t) {
        const Real spread = volatility * sqrt(t);
        const Real d = (log(s / k) + (rate + volatility * volatility / 2.0) * t) / spread;
        return s * normal(d) - k * exp(-rate * t) * normal(d - spread);
    };
    return sum(map(one, price, strike, time));
}

/// x_i = factor_i x_(i - 1) + summand_i, by composition of these functions.
Floats linear_recurrence(Floats factor, Floats summand) {
    auto compose = [](auto first, auto second) {
        auto [a, b] = first;
        auto [c, d] = second;
        return std::tuple(a * c, b * c + d);
    };
    return map([](auto, auto x) { return x; }, inclusive_scan(compose, zip(factor, summand)));
}

/// f and its derivative in the direction of the second half of the arguments, the last of which f itself does not use.
template <class F>
auto in_direction(const F& f) {
    return [f](Floats x, Floats y, Floats dx, Floats dy) { return jvp(f, primals(x, y), tangents(dx, dy)); };
}
template <class F>
auto ignoring_direction(const F& f) {
    return [f](Floats x, Floats y, Floats, Floats) { return f(x, y); };
}

/// Forward mode: functions of two arrays, elementwise or of neighbours.
void rows_of_directions(const Table& table, const Array<float>& x, const Array<float>& y) {
    auto row = [&](const std::string& name, double goal, auto f) {
        table.compare(name, goal, ignoring_direction(f), in_direction(f), x, y, y, x);
    };
    row("jvp exp(sin x * y) f32 2^20", 2, [](Floats a, Floats b) { return exp(sin(a) * b); });
    row("jvp polynomial f32 2^20", 2.5, [](Floats a, Floats b) {
        auto polynomial = [](Exp<float> p, Exp<float> q) {
            Exp<float> value = q;
            for (int k = 0; k < 8; ++k) value = value * p + 0.1f * static_cast<float>(k - 3);
            return value;
        };
        return map(polynomial, a, b);
    });
    row("jvp stencil f32 2^20", 2.5, [](Floats a, Floats b) {
        auto flow = [](auto s) { return s(0) + 0.1f * (s(1) - 2.0f * s(0) + s(-1)) * s(0); };
        return stencil(flow, boundary::clamp, a) * b;
    });
}

}  // namespace

void rows_of_vectors(const Table& table) {
    const Long n = 1 << 20;
    const auto x = floats(n, -2, 2), y = floats(n, -2, 2, 1), near_one = floats(n, 0.999, 1.001, 2);
    auto both = [](auto f) { return [f](const auto&... a) { return value_and_grad(f)(a...); }; };
    table.compare("lse f32 2^20", 2.2, log_sum_exp, both(log_sum_exp), x);
    table.compare("lse", 2.2, gradbench::log_sum_exp, both(gradbench::log_sum_exp), vector(n, -2, 2));
    auto chain = [](Floats a, Floats b) { return sum(exp(sin(a) * b)); };
    table.compare("sum exp(sin x * y) f32 2^20", 2.9, chain, value_and_gradients<0, 1>(chain), x, y);
    table.compare("greeks f64 2^20", 1.5, calls, value_and_gradients<0, 1, 2, 3, 4>(calls), vector(n, 5, 30, 3),
                  vector(n, 1, 100, 4), vector(n, 0.25, 10, 5), 0.02, 0.3);
    auto all_of = [](Floats a) { return product(a); };
    table.compare("product f32 2^20", 1.5, all_of, both(all_of), near_one);
    auto products = [](Floats a) { return sum(inclusive_scan([](auto p, auto q) { return p * q; }, a)); };
    table.compare("sum cumprod f32 2^20", 3, products, both(products), near_one);
    auto recurrence = [](Floats a, Floats b) {
        auto all = linear_recurrence(a, b);
        return sum(all * all);
    };
    table.compare("linear recurrence f32 2^20", 2.5, recurrence, value_and_gradients<0, 1>(recurrence), floats(n, 0.5, 1, 6),
                  y);
    auto gathered = [](Floats values, Delayed<int> at) {
        return sum(map([=](Exp<int> i) { return values(i) * values(i); }, at));
    };
    std::vector<int> places(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = static_cast<int>(k * 2654435761U % 1000);
    table.compare("gather f32 2^20 from 1000", 1.3, gathered, both(gathered), floats(1000, -1, 1), from(places));
    auto polynomial = [](gradbench::Vector c, Exp<Long> points) { return gradbench::least_squares(c, points); };
    table.compare("llsq 128 of 2^16", 5, polynomial, both(polynomial), vector(128, -1, 1), Long(1 << 16));
    auto determinant = [](gradbench::Vector e, Exp<Long> rows) { return gradbench::determinant(e, rows); };
    table.compare("det 8", 5, determinant, both(determinant), vector(64, -1, 1), Long(8));
    auto solve = [](gradbench::Vector c, Exp<Long> steps) { return gradbench::last_of_solution(c, steps); };
    table.compare("ode 1000, 100 steps", 4, solve, both(solve), vector(1000, 0, 1), Long(100));
    rows_of_directions(table, x, y);
}

}  // namespace derivatives
