// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of nests, loops and branches, and derivatives of derivatives.
#include "derivatives/support.hpp"

using namespace derivatives;

TEST_CASE("derivatives of nested functions", "[derivatives]") {
    check(
        [](D1 x) {
            auto a = reshape(x, shape(4, 6));
            return vmap([](D1 row) { return map([&](auto e) { return e * sum(row)(); }, row); }, a);
        },
        {.n = 24});
    check(
        [](D1 x) {
            auto a = reshape(x, shape(4, 6));
            return vmap([&](D1 row) { return vmap([&](D0 e) { return e * x(0) + sum(row)(); }, row); }, a);
        },
        {.n = 24});
}

TEST_CASE("derivatives of loops over arrays", "[derivatives]") {
    for (Long n : {0, 1, 5}) {
        CAPTURE(n);
        check([=](D1 x) {
            return for_loop(n, [&](auto, D1 s) { return map([](auto a, auto b) { return sin(a) + b * a; }, s, x); }, x);
        });
        check(
            [=](D1 x) { return for_loop(n, [&](auto i, D1 s) { return update(s, index(i), s(i) * x(i + 1) + s(0)); }, x); });
        check([=](D1 x) {
            auto body = [&](auto, D1 s, D1 t) {
                return std::tuple(map([](auto a, auto b) { return a * b; }, s, t), rotate(t, 1));
            };
            return std::get<0>(for_loop(n, body, x, map([](auto a) { return a + 1; }, x)));
        });
    }
    check([](D1 x) {
        auto outer = [&](auto, D1 s) {
            return for_loop(3, [&](auto, D1 t) { return map([](auto a, auto b) { return cos(a * b); }, t, x); }, s);
        };
        return for_loop(2, outer, x);
    });
}

// What is kept of a loop is read back in the middle of a program that grows: tables of it grow at any of these lengths.
TEST_CASE("derivatives of loops in programs of any length", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{0.5, -0.3, 0.8});
    for (int after = 0; after < 60; ++after) {
        CAPTURE(after);
        auto loss = [=](D1 y) {
            y = for_loop(3, [](auto, D1 s) { return s * 0.5 + 1.0; }, y);
            for (int k = 0; k < after; ++k) y = y * 2.0;
            return sum(y);
        };
        const double slope = std::ldexp(0.125, after);
        CHECK(run(grad(loss)(x), {.target = Target::interpreter()}).to_vector() == std::vector<double>(3, slope));
    }
}

TEST_CASE("derivatives of loops with a condition", "[derivatives]") {
    check([](D1 x) {
        auto goes_on = [](D1 s) { return sum(map([](auto a) { return a * a; }, s))() < 50.0; };
        return while_loop(goes_on, [](D1 s) { return map([](auto a) { return a * 1.5; }, s); }, x);
    });
}

TEST_CASE("derivatives of functions with loops", "[derivatives]") {
    check([](D1 x) { return map([](auto a) { return for_loop(4, [&](auto, D0 s) { return s * a + sin(s); }, a); }, x); });
    check([](D1 x) {
        return map([&](auto a) { return for_loop(size(x), [&](auto i, D0 s) { return s + x(i) * a; }, 0.5); }, x);
    });
    check(
        [](D1 x) {
            auto square = reshape(x, shape(3, 4));
            return map_indexed(
                [&](auto i, auto j, auto a) {
                    auto row = for_loop(j + 1, [&](auto k, D0 s) { return s * 0.5 + square(i, k) * a; }, a);
                    return cond(a > 0.0, [&] { return row * row; }, [&] { return row; });
                },
                square);
        },
        {.n = 12});
    check([](D1 x) {
        return map(
            [](auto a) { return while_loop([](D0 s) { return s < 3.0; }, [&](D0 s) { return s * 1.7 + 0.1; }, a + 1.1); },
            x);
    });
    check([](D1 x) {
        return map([](auto a) { return a * cast<double>(for_loop(3, [](auto i, auto s) { return s + i; }, Long(0))); }, x);
    });
}

TEST_CASE("derivatives of branches over arrays", "[derivatives]") {
    for (double limit : {-100.0, 100.0})
        check([=](D1 x) {
            return cond(
                sum(x)() < limit, [&] { return map([](auto a) { return a * a; }, x); },
                [&] { return map([](auto a) { return sin(a); }, x); });
        });
}

TEST_CASE("derivatives of derivatives", "[derivatives]") {
    auto cube = [](D1 x) { return sum(map([](auto a) { return a * a * a; }, x)); };
    const Array<double> x = from(std::vector<double>{1, 2, 3}), v = from(std::vector<double>{1, 0, -1});
    auto slope = [=](D1 x) { return sum(map([](auto g, auto a) { return g * a; }, grad(cube)(x), x)); };
    CHECK(run(grad(slope)(x)).to_vector() == std::vector<double>{9, 36, 81});
    const auto [g, hv] = jvp(grad(cube), primals(x), tangents(v));
    CHECK(run(hv).to_vector() == std::vector<double>{6, 0, -18});
}

TEST_CASE("gradients under vmap", "[derivatives]") {
    const Array<double, 2> x = sinter::from(std::vector<double>{1, 2, 3, 4, 5, 6}, shape(2, 3));
    auto f = [](D1 x) { return sum(map([](auto a) { return a * a; }, x)); };
    CHECK(run(vmap(grad(f), x)).to_vector() == std::vector<double>{2, 4, 6, 8, 10, 12});
}

TEST_CASE("derivatives of scalars inside functions", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{0.5, 1, 2});
    auto f = [](D0 t) { return t * t * t; };
    CHECK(run(map([&](D0 t) { return grad(f)(t); }, x)).to_vector() == std::vector<double>{0.75, 3, 12});
    CHECK(run(map([&](D0 t) { return grad(grad(f))(t); }, x)).to_vector() == std::vector<double>{3, 6, 12});
    auto power = [](D0 t, D0 s) { return for_loop(3, [&](auto, D0 p) { return p * t + s; }, 1.0); };
    auto both = map([&](D0 t) { return grad<0, 1>(power)(t, 2.0 * t); }, x);
    const auto made = run(map([](auto p, auto q) { return p + 10.0 * q; }, both)).to_vector();
    for (std::size_t k = 0; k < 3; ++k) {
        const double t = x(static_cast<Long>(k)), s = 2 * t;
        CHECK(made[k] == Approx(3 * t * t + 2 * s * t + s + 10 * (t * t + t + 1)));
    }
}

TEST_CASE("vjp and several arguments", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{1, 2}), y = from(std::vector<double>{3, 4});
    auto f = [](D1 a, D1 b) { return std::tuple(map([](auto p, auto q) { return p * q; }, a, b), sum(a)); };
    auto [values, back] = vjp(f, x, y);
    auto [dx, dy] = back(x, 10.0);
    CHECK(run(dx).to_vector() == std::vector<double>{13, 18});
    CHECK(run(dy).to_vector() == std::vector<double>{1, 4});
    auto [v, both] =
        value_and_grad<1>([](D1 a, D1 b) { return sum(map([](auto p, auto q) { return p * q; }, a, b)); })(x, y);
    CHECK(run(v).item() == 11);
    CHECK(run(both).to_vector() == std::vector<double>{1, 2});
}

TEST_CASE("Jacobians and Hessians", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{1, 2, 3});
    auto squares = [](D1 x) { return concat(map([](auto a) { return a * a; }, x), take(x, 1)); };
    const std::vector<double> expected{2, 0, 0, 0, 4, 0, 0, 0, 6, 1, 0, 0};
    for (const auto& j : {run(jacobian(squares)(x)), run(jacfwd(squares)(x)), run(jacrev(squares)(x))}) {
        CHECK(j.shape() == std::array<Long, 2>{4, 3});
        CHECK(j.to_vector() == expected);
    }
    auto table = [](D1 x, D2 m) { return map([](auto a, auto s) { return a * s; }, m, replicate(2, x)); };
    const Array<double, 2> m = sinter::from(std::vector<double>{1, 2, 3, 4, 5, 6}, shape(2, 3));
    const auto by_x = run(jacobian(table)(x, m));
    CHECK(by_x.shape() == std::array<Long, 3>{2, 3, 3});
    CHECK(by_x.to_vector() == std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6});
    CHECK(run(jacobian<1>(table)(x, m)).shape() == std::array<Long, 4>{2, 3, 2, 3});
    auto cubic = [](D1 x) { return sum(map([](auto a, auto b) { return a * a * b; }, x, rotate(x, 1))); };
    // Each term is x(i)^2 x(i + 1) or x(i)^2 x(i - 1), whichever way rotate goes.
    const auto h = run(hessian(cubic)(x)).to_vector();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) CHECK(h[3 * i + j] == h[3 * j + i]);
    const Array<double> v = from(std::vector<double>{1, -1, 2});
    const auto hv = run(hvp(cubic, primals(x), tangents(v))).to_vector();
    for (std::size_t i = 0; i < 3; ++i) CHECK(hv[i] == Approx(h[3 * i] - h[3 * i + 1] + 2 * h[3 * i + 2]));
}

TEST_CASE("derivatives of compiled functions", "[derivatives]") {
    auto loss = [](Delayed<float> w, Delayed<float, 2> x, Delayed<float> y) {
        auto guess = vmap([&](Delayed<float> row) { return sum(map([](auto a, auto b) { return a * b; }, row, w)); }, x);
        return sum(map([](auto p, auto q) { return (p - q) * (p - q); }, guess, y));
    };
    const Array<float> w = from(std::vector<float>{1, 2}), y = from(std::vector<float>{1, 1, 1});
    const Array<float, 2> x = sinter::from(std::vector<float>{1, 0, 0, 1, 1, 1}, shape(3, 2));
    const auto step = compile(grad(loss));
    CHECK(step(w, x, y).to_vector() == std::vector<float>{4, 6});
    CHECK(run(grad(loss)(w, x, y)).to_vector() == std::vector<float>{4, 6});
    const auto both = compile(value_and_grad(loss));
    const auto [value, gradient] = both(w, x, y);
    CHECK(value.item() == 5);
    CHECK(gradient.to_vector() == std::vector<float>{4, 6});
    const auto nested = compile([=](Delayed<float> w, Delayed<float, 2> x, Delayed<float> y) {
        return std::tuple(value_and_grad<0, 2>(loss)(w, x, y), 2 * y);
    });
    const auto [loss_and_gradients, twice] = nested(w, x, y);
    CHECK(loss_and_gradients.first.item() == 5);
    CHECK(std::get<0>(loss_and_gradients.second).to_vector() == std::vector<float>{4, 6});
    CHECK(std::get<1>(loss_and_gradients.second).to_vector() == std::vector<float>{0, -2, -4});
    CHECK(twice.to_vector() == std::vector<float>{2, 2, 2});
}

TEST_CASE("derivatives of several parameters, run and explained as they are", "[derivatives]") {
    const Array<double> a = from(std::vector<double>{1, 2}), b = from(std::vector<double>{3, 5});
    auto f = [](Delayed<double> x, Delayed<double> y) { return sum(x * x * y); };
    const auto [value, both] = run(value_and_grad<0, 1>(f)(a, b));
    CHECK(value.item() == 23);
    CHECK(std::get<0>(both).to_vector() == std::vector<double>{6, 20});
    CHECK(std::get<1>(both).to_vector() == std::vector<double>{1, 4});
    const auto [result, back] = vjp(f, a, b);
    const auto total = a + b;
    const auto all = std::tuple(result, std::pair(back(fill(shape(), 2.0)), std::tuple(total)), zip(a, b));
    const auto [sum_of, pulled, pairs] = run(all, {.target = Target::interpreter()});
    const auto [adjoints, more] = pulled;
    CHECK(sum_of.item() == 23);
    CHECK(std::get<1>(adjoints).to_vector() == std::vector<double>{2, 8});
    CHECK(std::get<0>(more).to_vector() == std::vector<double>{4, 7});
    CHECK(pairs(1) == std::tuple(2.0, 5.0));
    const auto delayed = std::get<1>(all).first;
    CHECK(explain(all).text() == explain(result, std::get<0>(delayed), std::get<1>(delayed), total, zip(a, b)).text());
}

TEST_CASE("derivatives of gradients", "[derivatives]") {
    auto second = [](auto f, Long n = 6) {
        check([=](D1 x) { return grad([=](D1 y) { return weighted(f(y)); })(x); }, {.n = n});
    };
    second([](D1 x) { return map([](auto a, auto b) { return exp(a * b); }, x, rotate(x, 1)); });
    second([](D1 x) { return product(map([](auto a) { return a + 2.0; }, x)); });
    second([](D1 x) { return inclusive_scan([](auto a, auto b) { return a * b; }, 1.0, x); });
    second([](D1 x) { return generate(shape(size(x)), [&](auto i) { return x(i / 2) * x(i) * x(0); }); });
    second([](D1 x) { return sort(map([](auto a) { return a * a; }, x)); });
    second([](D1 x) {
        return for_loop(3, [&](auto, D1 s) { return map([](auto a, auto b) { return sin(a) * b; }, s, x); }, x);
    });
    second([](D1 x) {
        auto weigh = [](auto at) { return at(-1) * at(1) * at(0); };
        return stencil(weigh, boundary::clamp, x);
    });
    second([](D1 x) { return map([](auto a) { return for_loop(3, [&](auto, D0 s) { return s * a + sin(s); }, a); }, x); });
}

TEST_CASE("gradients of slices with loops", "[derivatives]") {
    check(
        [](D1 x) {
            auto cost = [](D1 row) {
                return sum(
                    for_loop(3, [&](auto, D1 s) { return map([](auto a, auto b) { return a * b + a; }, s, row); }, row));
            };
            return vmap(grad(cost), reshape(x, shape(3, 4)));
        },
        {.n = 12});
    check([](D1 x) {
        auto cost = [](D0 t) {
            return while_loop([](D0 s) { return s < 3.0; }, [&](D0 s) { return s * (2.0 + t); }, 1.0 + t * t);
        };
        return map([&](D0 t) { return grad(cost)(t); }, x);
    });
}

TEST_CASE("gradients are checked for users", "[derivatives]") {
    const Array<double> w = from(std::vector<double>{0.3, -1, 2}), x = from(std::vector<double>{1, 2, 3});
    const Array<float> single = from(std::vector<float>{0.5f, 0.25f});
    auto smooth = [](D1 w, D1 x) { return sum(map([](auto a, auto b) { return sin(a * b) + a; }, w, x)); };
    CHECK_NOTHROW(check_gradient(smooth, w, x));
    CHECK_NOTHROW(check_gradient([](Delayed<float> s) { return sum(map([](auto a) { return exp(a) * a; }, s)); }, single));
    auto wrong = [](D1 w, D1 x) { return sum(map([](auto a, auto b) { return a * stop_gradient(b * a); }, w, x)); };
    CHECK_THROWS_AS(check_gradient(wrong, w, x), DomainError);
    CHECK_THROWS_WITH(check_gradient(wrong, w, x), Catch::Contains("check_gradient: argument 0, element"));
}

TEST_CASE("what has no derivative says so", "[derivatives]") {
    const Array<double> x = from(std::vector<double>{1, -2, 3});
    auto positive = [](D1 y) { return filter([](auto a) { return a > 0.0; }, y); };
    auto [value, tangent] = jvp(positive, primals(x), tangents(x));
    CHECK_THROWS_AS(run(tangent), Limitation);
    CHECK_THROWS_WITH(run(tangent), Catch::Contains("jvp: the extents of a result are computed inside of the function"));
    auto outside = [](D1 y) { return sum(foreign("twice", [](const Array<double>& a) { return run(a * 2.0); }, y)); };
    CHECK_THROWS_AS(run(grad(outside)(x)), UsageError);
    auto constant = [=](D1 y) {
        return sum(y) + sum(foreign("twice", [](const Array<double>& a) { return run(a * 2.0); }, x));
    };
    CHECK(run(grad(constant)(x)).to_vector() == std::vector<double>{1, 1, 1});
    const Array<Long> bins = from(std::vector<Long>{0, 1, 0});
    auto times = [](auto a, auto b) { return a * b; };
    auto products = [=](D1 y) { return sum(scatter(times, fill(shape(2), 1.0), Delayed<Long>(bins), y)); };
    CHECK_THROWS_AS(run(grad(products)(x)), Limitation);
}

// Tapes begin as memory in which anything may be, as here what arrays held that are gone.
TEST_CASE("derivatives of loops on memory that held other numbers", "[derivatives]") {
    constexpr Long n = 6000;
    const Array<double> x = from(scattered(n, -1, 1));
    auto loss = [](D1 y, Exp<Long> steps) {
        auto weigh = [](auto at) { return at(0) + 0.01 * (at(1) - at(0)) * at(-1); };
        return sum(for_loop(steps, [&](auto, D1 s) { return stencil(weigh, boundary::clamp, s); }, y));
    };
    auto gradient = compile([=](D1 y, Exp<Long> steps) { return grad(loss)(y, steps); });
    for (Long steps : {-2, 0, 1, 2, 3, 16, 17, 60}) {
        CAPTURE(steps);
        for (Long rows = 1; rows <= 32; ++rows) run(generate(shape(rows, n), [](auto, auto) { return D0(NAN); }));
        const auto expected =
            compile([=](D1 y, Exp<Long> k) { return grad(loss)(y, k); }, {.target = Target::interpreter()});
        CHECK(gradient(x, steps).to_vector() == expected(x, steps).to_vector());
    }
}

TEST_CASE("a tape is not written before its loop fills it", "[derivatives]") {
    const Array<double> x = from(scattered(500, -1, 1));
    auto loss = [](D1 y) {
        auto weigh = [](auto at) { return at(0) + 0.01 * (at(1) - at(0)) * at(-1); };
        return sum(for_loop(50, [&](auto, D1 s) { return stencil(weigh, boundary::clamp, s); }, y));
    };
    profile::start();
    run(grad(loss)(x));
    const std::string report = profile::stop();
    CAPTURE(report);
    CHECK(report.find("scatter") != std::string::npos);
    CHECK(report.find("broadcast") == std::string::npos);
}

TEST_CASE("derivatives of the fourth order of a loop are not divided into segments four times", "[derivatives][loops]") {
    auto eighth = [](D1 x) { return sum(for_loop(3, [](auto, D1 y) { return y * y; }, x))(); };
    auto slope = [](auto f) { return [=](D1 x) { return sum(grad(f)(x))(); }; };
    const Array<double> x = from(std::vector<double>{0.5, 1, 2});
    for (Long tape : {0, 1, 1000})
        for (Target target : {Target::interpreter(), targets().front()}) {
            const Options options{.target = target, .tape = tape};
            const std::vector<double> third = run(grad(slope(slope(eighth)))(x), options).to_vector();
            for (std::size_t k = 0; k < 3; ++k) CHECK(third[k] == Approx(8 * 7 * 6 * std::pow(x(static_cast<Long>(k)), 5)));
            const std::vector<double> fourth = run(grad(slope(slope(slope(eighth))))(x), options).to_vector();
            for (std::size_t k = 0; k < 3; ++k) CHECK(fourth[k] == Approx(1680 * std::pow(x(static_cast<Long>(k)), 4)));
        }
}
