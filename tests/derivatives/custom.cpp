// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that define their own derivatives.
#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

// The rules return twice the derivative, which shows that they are used.
auto doubled_vjp(D1 x) {
    return custom_vjp([](D1 a) { return sin(a); }, [](D1, D1 c, D1 a) { return 2.0 * cos(a) * c; })(x);
}
auto doubled_jvp(D1 x) {
    auto rule = [](auto primals, auto tangents) { return 2.0 * cos(std::get<0>(primals)) * std::get<0>(tangents); };
    return custom_jvp([](D1 a) { return sin(a); }, rule)(x);
}

}  // namespace

TEST_CASE("rules are taken for derivatives, in both modes", "[derivatives][custom]") {
    check([](D1 x) { return doubled_vjp(x); }, {.differences = false});
    check([](D1 x) { return doubled_jvp(x); }, {.differences = false});
    const Array<double> x = from(std::vector<double>{0.5, 1, 2}), one = from(std::vector<double>{1, 1, 1});
    auto expect = [&](const Array<double>& made) {
        for (Long k = 0; k < 3; ++k) CHECK(made(k) == Approx(2 * std::cos(x(k))));
    };
    expect(run(grad([](D1 a) { return sum(doubled_vjp(a)); })(x)));
    expect(run(grad([](D1 a) { return sum(doubled_jvp(a)); })(x)));
    expect(run(jvp([](D1 a) { return doubled_vjp(a); }, primals(x), tangents(one)).second));
    expect(run(jvp([](D1 a) { return doubled_jvp(a); }, primals(x), tangents(one)).second));
}

TEST_CASE("functions with a rule are evaluated", "[derivatives][custom]") {
    const Array<double> x = from(std::vector<double>{0.5, 1, 2});
    for (Target target : targets()) {
        const auto made = run(doubled_vjp(x), {.target = target}).to_vector();
        for (std::size_t k = 0; k < 3; ++k) CHECK(made[k] == Approx(std::sin(x(static_cast<Long>(k)))));
    }
    const auto f =
        compile(custom_jvp([](D1 a) { return a * a; }, [](auto p, auto t) { return std::get<0>(p) * std::get<0>(t); }));
    CHECK(f(x).to_vector() == std::vector<double>{0.25, 1, 4});
}

TEST_CASE("rules of several arguments and results", "[derivatives][custom]") {
    auto f = [](D1 a, D1 b, Delayed<Long> n) { return std::tuple(a * b, sum(a), n); };
    auto rule = [](auto result, auto cotangent, D1 a, D1 b, Delayed<Long>) {
        auto [ab, s, n] = result;
        auto [ca, cs, cn] = cotangent;
        return std::tuple(ca * b + cs() + 0.0 * ab, ca * a);
    };
    const Array<Long> n = from(std::vector<Long>{4, 5});
    auto g = custom_vjp(f, rule);
    check(
        [=](D1 x) {
            auto [p, s, m] = g(x * x, x + 1.0, Delayed<Long>(n));
            return p * s() + cast<double>(m(1));
        },
        {.n = 6});
    auto direction = [](auto primals, auto tangents) {
        auto [a, b, n] = primals;
        auto [da, db, dn] = tangents;
        return std::tuple(da * b + db * a, sum(da), n);
    };
    auto h = custom_jvp(f, direction);
    check([=](D1 x) { return std::get<0>(h(x * x, x + 1.0, Delayed<Long>(n))) * std::get<1>(h(x, x, Delayed<Long>(n)))(); },
          {.n = 6});
}

TEST_CASE("rules under vmap, in loops and branches", "[derivatives][custom]") {
    auto square = custom_vjp([](D1 a) { return a * a; }, [](D1, D1 c, D1 a) { return 2.0 * a * c; });
    check([=](D1 x) { return vmap([=](D1 row) { return square(row) * sum(row)(); }, reshape(x, shape(3, 4))); }, {.n = 12});
    check([=](D1 x) { return vmap([=](D0 s) { return sum(square(x * s)); }, x); });
    check([=](D1 x) { return for_loop(4, [=](auto, D1 s) { return square(s) * 0.5 + x; }, x); });
    check([=](D1 x) { return cond(sum(x)() < 100.0, [&] { return square(x); }, [&] { return x; }); });
    auto loops = custom_jvp([](D1 a) { return for_loop(3, [&](auto, D1 s) { return s * a; }, a); },
                            [](auto p, auto t) {
                                auto a = std::get<0>(p);
                                return 4.0 * a * a * a * std::get<0>(t);
                            });
    check([=](D1 x) { return loops(x); });
    auto nested = custom_vjp([](D2 a) { return vmap([](D1 row) { return sum(row * row); }, a); },
                             [](D1, D1 c, D2 a) { return vmap([](D1 row, D0 s) { return 2.0 * row * s; }, a, c); });
    check([=](D1 x) { return nested(reshape(x, shape(3, 4))); }, {.n = 12});
    auto scalar =
        custom_jvp([](D0 a, D0 b) { return a * b; },
                   [](auto p, auto t) { return std::get<0>(p) * std::get<1>(t) + std::get<1>(p) * std::get<0>(t); });
    check([=](D1 x) { return x * scalar(x(0), x(1)); });
}

TEST_CASE("derivatives of rules", "[derivatives][custom]") {
    auto cube = custom_vjp([](D1 a) { return a * a * a; }, [](D1, D1 c, D1 a) { return 3.0 * a * a * c; });
    check([=](D1 x) { return grad([=](D1 y) { return weighted(cube(y)); })(x); });
    auto power =
        custom_jvp([](D1 a) { return exp(a); }, [](auto p, auto t) { return exp(std::get<0>(p)) * std::get<0>(t); });
    check([=](D1 x) { return grad([=](D1 y) { return weighted(power(y)); })(x); });
    const Array<double> x = from(std::vector<double>{1, 2}), v = from(std::vector<double>{1, 10});
    auto loss = [=](D1 y) { return sum(cube(y)); };
    CHECK(run(hvp(loss, primals(x), tangents(v))).to_vector() == std::vector<double>{6, 120});
    CHECK(run(hessian(loss)(x)).to_vector() == std::vector<double>{6, 0, 0, 12});
    auto inner = custom_vjp([=](D1 a) { return grad(loss)(a); }, [](D1, D1 c, D1 a) { return 6.0 * a * c; });
    CHECK(run(grad([=](D1 y) { return sum(inner(y)); })(x)).to_vector() == std::vector<double>{6, 12});
}

TEST_CASE("derivatives of tangents of functions with loops", "[derivatives]") {
    check([](D1 x) {
        auto f = [](D1 y) { return map([](auto a) { return for_loop(3, [&](auto, D0 s) { return s * a; }, a); }, y); };
        return jvp(f, primals(x), tangents(x)).second;
    });
}

TEST_CASE("mistakes in rules", "[derivatives][custom]") {
    const Array<double> x = from(std::vector<double>{1, 2, 3});
    auto captures = [](D1 y) {
        auto f = custom_vjp([=](D1 a) { return a * y; }, [](D1, D1 c, D1) { return c; });
        return sum(f(y));
    };
    CHECK_THROWS_AS(run(grad(captures)(x)), UsageError);
    CHECK_THROWS_WITH(run(grad(captures)(x)), Catch::Contains("custom_vjp: the function or its rule uses an array"));
    auto forward = [=](D1 y) { return captures(y); };
    CHECK_THROWS_AS(run(jvp(forward, primals(x), tangents(x)).second), UsageError);
    CHECK(run(captures(x)).item() == 14);
    auto of_numbers = custom_jvp([](D0 a) { return a * a; }, [](auto p, auto t) { return std::get<0>(p) * std::get<0>(t); });
    CHECK_THROWS_AS(map([=](D0 a) { return of_numbers(a); }, x), Limitation);
    CHECK_THROWS_WITH(map([=](D0 a) { return of_numbers(a); }, x),
                      Catch::Contains("custom_jvp: in the function given to map"));
    CHECK_THROWS_AS(map([=](D0 a) { return checkpoint([](D0 b) { return b; })(a); }, x), Limitation);
    auto short_rule = custom_vjp([](D1 a) { return a * a; }, [](D1, D1, D1 a) { return take(a, 2); });
    CHECK_THROWS_AS(run(grad([=](D1 y) { return sum(short_rule(y)); })(x)), ShapeError);
    auto filtered =
        custom_vjp([](D1 a) { return a * a; }, [](D1, D1, D1 a) { return filter([](auto e) { return e > 1.5; }, a); });
    CHECK_THROWS_AS(run(grad([=](D1 y) { return sum(filtered(y)); })(x)), ShapeError);
}

TEST_CASE("foreign functions with a derivative", "[derivatives][custom]") {
    auto twist = [](const Array<double>& a, const Array<double>& b) {
        return run(map([](auto p, auto q) { return sin(p) * q; }, a, b));
    };
    auto back = [](const Array<double>&, const Array<double>& c, const Array<double>& a, const Array<double>& b) {
        return std::tuple(run(map([](auto p, auto q, auto r) { return cos(p) * q * r; }, a, b, c)),
                          run(map([](auto p, auto r) { return sin(p) * r; }, a, c)));
    };
    auto f = [=](D1 x) { return foreign("twist", twist, x, map([](auto e) { return e * e; }, x), derivative(back)); };
    const Array<double> x = from(std::vector<double>{0.5, 1, 2});
    auto loss = [=](D1 y) { return sum(f(y)); };
    for (Target target : targets()) {
        const auto made = run(grad(loss)(x), {.target = target}).to_vector();
        for (std::size_t k = 0; k < 3; ++k) {
            const double a = x(static_cast<Long>(k));
            CHECK(made[k] == Approx(std::cos(a) * a * a + std::sin(a) * 2 * a));
        }
    }
    auto in_loop = [=](D1 y) {
        return sum(for_loop(2, [=](auto, D1 s) { return map([](auto p, auto q) { return p * 0.5 + q; }, f(s), y); }, y));
    };
    CHECK_NOTHROW(check_gradient(in_loop, x));
    CHECK_THROWS_WITH(run(jvp(loss, primals(x), tangents(x)).second), Catch::Contains("in reverse mode only"));
    CHECK_THROWS_AS(run(grad([=](D1 y) { return sum(grad(loss)(y)); })(x)), UsageError);
    auto wrong = [](const Array<double>&, const Array<double>&, const Array<double>& a) { return run(take(a, 1)); };
    auto once = [](const Array<double>& a) { return a; };
    auto broken = [=](D1 y) { return sum(foreign("once", once, y, derivative(wrong))); };
    CHECK_THROWS_AS(run(grad(broken)(x)), ShapeError);
    CHECK(run(broken(x)).item() == 3.5);
    const Array<Long> places = from(std::vector<Long>{2, 0, 1});
    auto pick = [](const Array<double>& a, const Array<Long>& at) { return run(gather(at, a)); };
    auto put = [](const Array<double>&, const Array<double>& c, const Array<double>& a, const Array<Long>& at) {
        return run(scatter(fill(shape(a.size()), 0.0), at, c));
    };
    auto picked = [=](D1 y) {
        return sum(
            map([](auto p, auto q) { return p * q; }, foreign("pick", pick, y, Delayed<Long>(places), derivative(put)), y));
    };
    CHECK_NOTHROW(check_gradient(picked, x));
}

TEST_CASE("checkpoints have the derivatives of their functions", "[derivatives][custom]") {
    auto layer = [](D1 h) { return sin(h * h) + 0.5 * rotate(h, 1); };
    check([=](D1 x) { return checkpoint(layer)(checkpoint(layer)(x)); });
    check([=](D1 x) { return checkpoint([&](D1 h) { return h * x; })(sin(x)); });
    check([=](D1 x) { return vmap([=](D1 row) { return checkpoint(layer)(row); }, reshape(x, shape(3, 4))); }, {.n = 12});
    check([=](D1 x) { return for_loop(3, [=](auto, D1 s) { return checkpoint(layer)(s); }, x); });
    check([=](D1 x) { return checkpoint([](D1 h) { return for_loop(5, [](auto, D1 s) { return sin(s) * s; }, h); })(x); });
    check([=](D1 x) {
        auto [p, q] = checkpoint([](D1 a, D1 b) { return std::tuple(a * b, sum(a)); })(x, sin(x));
        return p * q();
    });
    check([=](D1 x) { return grad([=](D1 y) { return sum(checkpoint(layer)(y) * y); })(x); });
    const Array<double> x = from(std::vector<double>{1, 2});
    CHECK(run(checkpoint([](D1 a) { return a * 2.0; })(x)).to_vector() == std::vector<double>{2, 4});
}

TEST_CASE("loops keep as many states as they may", "[derivatives]") {
    const std::vector<double> at = scattered(12, -1, 1);
    const Array<double> x = from(at);
    for (Long n : {0, 1, 2, 17}) {
        auto loss = [=](D1 y) { return sum(for_loop(n, [=](auto i, D1 s) { return sin(s) + y * cast<double>(i); }, y)); };
        auto until = [=](D1 y) {
            return sum(while_loop([](D1 s) { return sum(s * s)() < 1e6; }, [](D1 s) { return s * 1.5 + sin(s) * 0.1; }, y));
        };
        const auto expected = run(grad(loss)(x), {.target = Target::interpreter()}).to_vector();
        const auto expected_until = run(grad(until)(x), {.target = Target::interpreter()}).to_vector();
        for (Long tape : {1, 96, 400, 1'000'000}) {
            std::vector<Target> all = targets();
            all.push_back(Target::interpreter());
            for (Target target : all) {
                CAPTURE(n, tape, target.number);
                const auto made = run(grad(loss)(x), {.target = target, .tape = tape}).to_vector();
                const auto made_until = run(grad(until)(x), {.target = target, .tape = tape}).to_vector();
                for (std::size_t k = 0; k < expected.size(); ++k) {
                    CHECK(made[k] == Approx(expected[k]));
                    CHECK(made_until[k] == Approx(expected_until[k]));
                }
            }
        }
    }
    CHECK_THROWS_AS(run(sum(x), {.tape = -1}), UsageError);
}

TEST_CASE("accurate sums have derivatives in both modes", "[derivatives][custom]") {
    for (const Long n : {1, 2, 17, 300}) {
        CAPTURE(n);
        check([](D1 x) { return sum(x * x, pairwise); }, {.n = n, .tolerance = 1e-11});
        check([](D1 x) { return x * sum(sin(x), compensated)(); }, {.n = n, .tolerance = 1e-11});
        check([](D1 x) { return x * sum(sin(x), pairwise)(); }, {.n = n, .tolerance = 1e-11});
    }
    check(
        [](D1 x) {
            const auto cube = reshape(x, shape(3, 4, 5));
            return concat(flatten(sum(cube * cube, axis(1), pairwise)), sum(cube * cube, axes(0, -1), pairwise));
        },
        {.n = 60});
    // Of rows, in loops, and of derivatives.
    check([](D1 x) { return vmap([](D1 row) { return sum(row * row, pairwise); }, reshape(x, shape(4, 5))); }, {.n = 20});
    check([](D1 x) {
        return for_loop(3, [=](auto, Exp<double> s) { return s * 0.5 + sum(x * s, pairwise)(); }, Exp<double>(1)) * x;
    });
    check([](D1 x) { return grad([](D1 a) { return sum(a * a * a, pairwise); })(x); });
}
