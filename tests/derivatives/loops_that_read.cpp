// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in functions that read elements of what is differentiated by: they become loops over arrays, several iterations at a
// time. What all points read is summed, other elements are scattered.
#include "derivatives/support.hpp"

using namespace derivatives;

// Around the number of iterations of a block.
TEST_CASE("derivatives of loops that read the same elements at all points", "[derivatives]") {
    for (Long terms : {-1, 1, 16, 33}) {
        CAPTURE(terms);
        // The adjoint of the state does not depend on the state.
        check([=](D1 x) {
            auto step = [&](auto k, D0 s) { return s * 0.7 + x(k % size(x)); };
            return map([&](D0 a) { return for_loop(terms, step, 0.0) * static_cast<double>(terms + 3) + a; }, x);
        });
        // It does, and elements of another array are read as well.
        const Array<double> table = from(scattered(60, -1, 1, 3));
        check([=](D1 x) {
            auto step = [&](auto k, D0 s, D0 t, auto count) {
                const D0 next = sin(s * x(k % size(x))) + table(k) * t;
                return std::tuple(next, t * 0.9 + next * x(count % size(x)), count + 2);
            };
            return map(
                [&](D0 a) {
                    auto [s, t, count] = for_loop(terms, step, a, 0.5, Long(1));
                    return s + t * cast<double>(count) * 0.1;
                },
                x);
        });
    }
}

TEST_CASE("derivatives of loops that read other elements at other points", "[derivatives]") {
    for (Long terms : {3, 21}) {
        CAPTURE(terms);
        check([=](D1 x) {
            auto at = [&](auto i, D0 a) {
                return for_loop(terms, [&](auto k, D0 s) { return s * x((i * 3 + k) % size(x)) + x(k % 2) * 0.3; }, a);
            };
            return map_indexed(at, x);
        });
        // The number of iterations differs from point to point.
        check([=](D1 x) {
            auto at = [&](auto i, D0 a) {
                return for_loop((i * terms) % 23, [&](auto k, D0 s) { return cos(s) * x((i + k) % size(x)); }, a);
            };
            return map_indexed(at, x);
        });
        // Two axes of points.
        check([=](D1 x) {
            auto at = [&](auto i, auto j) {
                auto step = [&](auto k, D0 s) { return s * x((i + k) % size(x)) + x(j) * x(k % size(x)); };
                return for_loop(terms, step, 0.5);
            };
            return generate(shape(3, 4), at);
        });
    }
}

TEST_CASE("derivatives of loops in loops that read", "[derivatives]") {
    // The inner loop reads, too.
    check([](D1 x) {
        auto row = [&](auto i, D0 s) {
            return for_loop(i % 4 + 17, [&](auto k, D0 t) { return t * 0.5 + x(k % size(x)) * s; }, s);
        };
        return map([&](D0 a) { return for_loop(3, row, a); }, x);
    });
    // The inner loop has no derivative: it looks for a place.
    check([](D1 x) {
        auto next = [&](auto i, D0 s, auto left) {
            auto goes_on = [&](auto at) { return ((left >> at) & Long(1)) == Long(0); };
            const auto place = while_loop(goes_on, [](auto at) { return at + 1; }, i % 5);
            return std::tuple(s * x(place % size(x)), left + 3);
        };
        return map_indexed([&](auto i, D0 a) { return std::get<0>(for_loop(19, next, a + 0.5, i + (Long(1) << 40))); }, x);
    });
    // Few numbers go into the inner loop: it carries its Jacobian.
    check([](D1 x) {
        auto next = [&](auto i, D0 s) {
            const D0 scale = x((i * 2) % size(x));
            return for_loop(3, [&](auto, D0 t) { return sin(t * scale); }, s) + x(1);
        };
        return map([&](D0 a) { return for_loop(18, next, a); }, x);
    });
    // In a branch, and under a condition.
    check([](D1 x) {
        auto step = [&](auto k, D0 s) {
            return cond(k % 3 == 0, [&] { return s * x(k % size(x)); }, [&] { return s + x(2) * 0.1; });
        };
        auto up = [&](D0 a) { return for_loop(18, step, a); };
        return map([&](D0 a) { return cond(a > 0.0, [&] { return up(a); }, [&] { return a * a; }); }, x);
    });
    check([](D1 x) {
        auto goes_on = [&](D0 s, auto k) { return s < 8.0 && k < 40; };
        auto step = [&](D0 s, auto k) { return std::tuple(s * 1.3 + x(k % size(x)) * 0.1, k + 1); };
        return map([&](D0 a) { return std::get<0>(while_loop(goes_on, step, abs(a) + 0.5, Long(0))); }, x);
    });
}

TEST_CASE("derivatives of several reads at the same place", "[derivatives]") {
    // Without a loop, of arrays of two axes, and where the functions of no axis read several elements.
    check([](D1 x) {
        const D2 table = generate(shape(4, 5), [&](auto i, auto j) { return x(i) * x(j + 4); });
        return map([&](D0 a) { return a * table(1, 2) + table(3, 0) * table(1, 2) * cos(a); }, x);
    });
    check([](D1 x) { return map([&](D0 a) { return a * x(3) * x(3) + x(5); }, x); });
    check([](D1 x) { return x(1) * x(4) + sin(x(1)) * x(7); });
}

TEST_CASE("derivatives of loops that read what a rule is for", "[derivatives]") {
    auto curve =
        custom_jvp([](D1 x) { return sin(x); }, [](auto x, auto dx) { return cos(std::get<0>(x)) * std::get<0>(dx); });
    check([=](D1 x) {
        const D1 y = curve(x);
        auto at = [&](auto i, D0 a) {
            return for_loop(20, [&](auto k, D0 s) { return s * y((i + k) % size(y)) + 0.1; }, a);
        };
        return map_indexed(at, x) + map([&](D0 a) { return for_loop(5, [&](auto k, D0 s) { return s * y(k); }, a); }, y);
    });
}

TEST_CASE("derivatives of loops that read at no point", "[derivatives]") {
    // Nothing is read, so that no index is out of range.
    const Array<double> x = from(std::vector<double>{1, 2, 3});
    auto loss = [](D1 x, D1 points) {
        auto at = [&](D0 a) { return for_loop(20, [&](auto k, D0 s) { return s * a + x(k) * x(900); }, 1.0); };
        return sum(map(at, points));
    };
    const Array<double> none = from(std::vector<double>{});
    for (Target target : targets())
        CHECK(run(grad(loss)(x, none), {.target = target}).to_vector() == std::vector<double>{0, 0, 0});
    const Array<double> one = from(std::vector<double>{0.5});
    CHECK_THROWS_AS(run(grad(loss)(x, one)), IndexError);
}

TEST_CASE("second derivatives of loops that read", "[derivatives]") {
    auto power = [](D1 x) {
        auto at = [&](D0 a) { return for_loop(18, [&](auto k, D0 s) { return s * x(k % 3) + a; }, a); };
        return sum(map(at, x * 0.5));
    };
    const Array<double> x = from(std::vector<double>{0.5, 0.7, -0.4}), v = from(std::vector<double>{1, -2, 0.5});
    const auto product = run(hvp(power, primals(x), tangents(v))).to_vector();
    auto slope = [=](D1 y) {
        const D1 g = grad(power)(y);
        return sum(g * Delayed<double>(v));
    };
    const auto twice = run(grad(slope)(x)).to_vector();
    const Array<double, 2> all = run(hessian(power)(x));
    for (Long k = 0; k < 3; ++k) {
        double row = 0;
        for (Long j = 0; j < 3; ++j) row += all(k, j) * v(j);
        CHECK(product[static_cast<std::size_t>(k)] == Approx(row));
        CHECK(twice[static_cast<std::size_t>(k)] == Approx(row));
    }
}
