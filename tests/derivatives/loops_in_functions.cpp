// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of functions that contain loops. In reverse mode, such a loop computes its Jacobian along with its states, or
// becomes a loop over arrays.
#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

/// A loop that `count` elements of x go into, as captured scalars, beside the element that it begins with.
template <Long count>
auto many_inputs(D1 x) {
    std::array<D0, static_cast<std::size_t>(count)> c;
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = x(static_cast<Long>(k));
    return map(
        [=](D0 a) {
            auto step = [&](auto, D0 s) {
                for (const D0& e : c) s = sin(s) + 0.3 * e * s;
                return s;
            };
            return for_loop(5, step, a);
        },
        x);
}

}  // namespace

TEST_CASE("derivatives of loops in functions of several numbers", "[derivatives]") {
    for (Long n : {0, 1, 2, 7}) {
        CAPTURE(n);
        // Two states, one of which leaves derivatives behind; an integer state; a captured scalar.
        check([=](D1 x) {
            const D0 rate = x(0) * x(1);
            auto step = [&](auto k, D0 s, D0 sum, auto count) {
                const D0 next = s * exp(rate * 0.1) + cos(sum) * cast<double>(k);
                return std::tuple(next, sum + next, count + 1);
            };
            return map(
                [&](D0 a) {
                    auto [s, sum, count] = for_loop(n, step, a, 0.25, Long(1));
                    return s * sum / cast<double>(count);
                },
                x);
        });
        // The count differs from element to element, and a table is read that does not depend on x.
        const Array<double> table = from(scattered(20, -1, 1, 5));
        check([=](D1 x) {
            return map_indexed(
                [&](auto i, D0 a) {
                    return for_loop((i * n) % 5, [&](auto k, D0 s) { return s * table(k + i) + a * a; }, a) * a;
                },
                x);
        });
    }
}

TEST_CASE("derivatives of loops with conditions in functions", "[derivatives]") {
    check(
        [](D1 x) {
            const D0 factor = sum(x)() * 0.01 + 1.5;
            auto goes_on = [](D0 s, auto k) { return s < 40.0 && k < 30; };
            auto step = [&](D0 s, auto k) { return std::tuple(s * factor + 0.1, k + 1); };
            return map([&](D0 a) { return std::get<0>(while_loop(goes_on, step, abs(a) + 0.5, Long(0))); }, x);
        },
        {.n = 33});
    // Newton's method for square roots: a loop in a loop.
    check(
        [](D1 x) {
            auto root = [](D0 a) { return for_loop(6, [&](auto, D0 r) { return 0.5 * (r + a / r); }, 1.0); };
            return map([&](D0 a) { return for_loop(3, [&](auto, D0 s) { return root(s + a); }, a); }, x);
        },
        {.low = 0.5, .high = 2});
}

TEST_CASE("derivatives of loops in branches of functions", "[derivatives]") {
    check(
        [](D1 x) {
            const D0 c = x(2);
            auto up = [&](D0 a) { return for_loop(4, [&](auto, D0 s) { return s * a + c; }, a); };
            auto down = [&](D0 a) {
                auto [s, t] = for_loop(3, [&](auto, D0 s, D0 t) { return std::tuple(sin(t), s * c); }, a, 1.0);
                return s + t;
            };
            return map([&](D0 a) { return cond(a > 0.1, [&] { return up(a); }, [&] { return down(a); }) * a; }, x);
        },
        {.n = 40});
    check(
        [](D1 x) {
            auto step = [](auto k, D0 s) {
                return cond(
                    k % 2 == 0, [&] { return s * s; },
                    [&] { return cond(s > 0.3, [&] { return s; }, [&] { return cos(s); }); });
            };
            return map([&](D0 a) { return for_loop(4, step, a); }, x);
        },
        {.n = 40});
}

// Below and beyond the number of inputs for which a loop keeps its place in the function.
TEST_CASE("derivatives of loops that many numbers go into", "[derivatives]") {
    check(many_inputs<3>, {.n = 40});
    check(many_inputs<31>, {.n = 40});
    check(many_inputs<36>, {.n = 40});
}

TEST_CASE("derivatives of loops of narrower numbers", "[derivatives]") {
    const Array<float> x = from(std::vector<float>{0.25f, -0.5f, 0.75f});
    auto loss = [](Delayed<float> x, Exp<double> wide) {
        auto step = [&](auto, Exp<float> s) { return s * s + cast<float>(wide); };
        return sum(map([&](Exp<float> a) { return for_loop(3, step, a); }, x));
    };
    auto both = compile([=](Delayed<float> x, Delayed<double> w) {
        auto f = [=](Delayed<float> a, Delayed<double> b) { return loss(a, b(0)); };
        return grad<0, 1>(f)(x, w);
    });
    const auto [of_x, of_w] = both(x, from(std::vector<double>{0.125}));
    double total = 0;
    for (Long i = 0; i < 3; ++i) {
        double s = x(i), by_x = 1, by_w = 0;
        for (int k = 0; k < 3; ++k) by_x *= 2 * s, by_w = 2 * s * by_w + 1, s = s * s + 0.125;
        CHECK(of_x(i) == Approx(by_x));
        total += by_w;
    }
    CHECK(of_w(0) == Approx(total));
}

// The derivative of a loop that overflows, where its result is not taken.
TEST_CASE("derivatives of loops that are masked", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{1, 1e200, 2});
    auto loss = [](D1 x) {
        return sum(map(
            [](D0 a) {
                const D0 power = for_loop(3, [&](auto, D0 s) { return s * a; }, 1.0);
                return select(a < 10.0, power, 0.0);
            },
            x));
    };
    for (Target target : targets())
        CHECK(run(grad(loss)(x), {.target = target}).to_vector() == std::vector<double>{3, 0, 12});
}

TEST_CASE("second derivatives of functions with loops", "[derivatives]") {
    // s_n = a^(2^n): the second derivative of a^8 is 56 a^6.
    auto power = [](D1 x) { return sum(map([](D0 a) { return for_loop(3, [](auto, D0 s) { return s * s; }, a); }, x)); };
    const Array<double> x = from(std::vector<double>{0.5, 1, 1.5}), ones = from(std::vector<double>{1, 1, 1});
    const auto of_gradient = run(hvp(power, primals(x), tangents(ones))).to_vector();
    auto slopes = [=](D1 y) { return sum(grad(power)(y)); };
    const auto twice = run(grad(slopes)(x)).to_vector();
    for (std::size_t k = 0; k < 3; ++k) {
        const double expected = 56 * std::pow(x(static_cast<Long>(k)), 6);
        CHECK(of_gradient[k] == Approx(expected));
        CHECK(twice[k] == Approx(expected));
    }
}

TEST_CASE("derivatives of operators with loops", "[derivatives]") {
    auto settle = [](D0 a, D0 b) { return for_loop(3, [&](auto, D0 s) { return s * 0.5 + sin(a * b); }, a + b); };
    check([=](D1 x) { return recur([=](D0 s, D0 a) { return settle(s, a); }, 0.5, x); });
    check([=](D1 x) {
        const D0 c = x(0);
        return recur([=](D0 s, D0 a) { return for_loop(2, [&](auto, D0 t) { return cos(t) * c + a; }, s); }, x(1), x);
    });
    // Associative: a sum, in a loop of one iteration.
    auto sum_by_loop = [](D0 a, D0 b) { return for_loop(1, [&](auto, D0 s) { return s + b; }, a); };
    check([=](D1 x) { return fold(sum_by_loop, 0.0, map([](auto a) { return a * a; }, x)); });
    check([=](D1 x) { return inclusive_scan(sum_by_loop, map([](auto a) { return a * a; }, x)); });
}

TEST_CASE("a gradient through a loop in a function takes one kernel", "[derivatives]") {
    auto price = [](D1 market) {
        const D0 start = market(0), drift = market(1), spread = market(2);
        auto path = [=](auto p) {
            auto step = [=](auto k, D0 s, D0 total) {
                const D0 next = s * exp(drift + spread * sin(cast<double>(p * 7 + k)));
                return std::tuple(next, total + next);
            };
            auto [s, total] = for_loop(100, step, start, 0.0);
            return max(total / 100.0 - 1.0, 0.0);
        };
        return sum(map(path, iota(500)));
    };
    check(
        [=](D1 x) {
            return price(map([](D0 a) { return a * 0.01 + 0.03; }, x) + pad(from(std::vector<double>{1}), {{0, 2}}, 0.0));
        },
        {.n = 3});
    const Array<double> market = from(std::vector<double>{1, 0.01, 0.05});
    const Explanation explained = explain(grad(price)(market));
    CHECK(explained.bytes_moved() < 1000);  // no tape: only scalars are written
}
