// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of loops that replace parts of their states: the reverse sweep puts them back.
#include "derivatives/support.hpp"

#include <complex>

using namespace derivatives;

namespace {

/// The body also reads what it has just written.
D0 built_and_read(D1 x) {
    auto step = [=](auto i, D1 s, D0 total) {
        const D1 next = update(s, index(i), s(i) * x(i) + total);
        return std::tuple(next, total * 0.5 + next(i) * next(i));
    };
    const auto [s, total] = for_loop(size(x), step, x, 0.1);
    return sum(s * s)() + total();
}

D1 built(D1 x) {
    auto step = [=](auto i, D1 made) { return update(made, index(i + 1), sin(made(i)) + x(i)); };
    return for_loop(size(x), step, fill(shape(size(x) + 1), 0.5));
}

/// Rows of a matrix, each from the row before it, which the loop reads, and from four elements of x.
D2 rows_built(D1 x) {
    const D2 given = reshape(x, shape(size(x) / 4, 4));
    auto step = [=](auto i, D2 made) { return update(made, i + 1, all, sin(row(made, i)) * 0.9 + row(given, i)); };
    return for_loop(size(x) / 4, step, fill(shape(size(x) / 4 + 1, 4), 0.5));
}

}  // namespace

TEST_CASE("derivatives of arrays that are built by updates", "[derivatives][updates]") {
    for (Long n : {0, 1, 2, 9, 40}) {
        CAPTURE(n);
        check([](D1 x) { return built(x); }, {.n = n});
        check([](D1 x) { return sum(built(x) * built(x))(); }, {.n = n});
    }
    check([](D1 x) { return grad([](D1 y) { return weighted(built(y)); })(x); }, {.n = 7});
}

TEST_CASE("derivatives of updates at places that states decide", "[derivatives][updates]") {
    check([](D1 x) {  // some places are written often, others never
        auto step = [=](auto i, D1 made, Exp<Long> at) {
            const D0 next = made(at) * x(i) + cos(made((at + 1) % 6));
            return std::tuple(update(made, index(at), next), (at * 5 + i) % 6);
        };
        return std::get<0>(for_loop(size(x), step, take(x, 6) * 0.5, Long(1)));
    });
    check([](D1 x) {  // integers are put back, too
        auto step = [=](auto i, Delayed<Long> order, D1 made) {
            const Exp<Long> at = order(i % 4);
            return std::tuple(update(order, index((i + 1) % 4), (at + i) % 4),
                              update(made, index(at), made(at) * x(i) + 0.3));
        };
        return std::get<1>(for_loop(size(x), step, iota(4), take(x, 4) + 1.0));
    });
    check(
        [](D1 x) {  // until an element is large enough
            auto step = [=](D1 made, Exp<Long> k) {
                return std::tuple(update(made, index(k % 5), made(k % 5) * 1.3 + made((k + 2) % 5) * x(k % 3)), k + 1);
            };
            return std::get<0>(while_loop([](D1 made, auto) { return made(2) < 5.0; }, step, take(x, 5), Long(0)));
        },
        {.low = 0.5});
}

TEST_CASE("derivatives of several updates in an iteration", "[derivatives][updates]") {
    check([](D1 x) {  // two elements are exchanged, and one of them changes
        auto step = [](auto i, D1 s) {
            const D0 a = s(i % 7), b = s((i * 3 + 1) % 7);
            return update(update(s, index(i % 7), b * b), index((i * 3 + 1) % 7), sin(a) * 1.1);
        };
        return for_loop(12, step, x);
    });
    check([](D1 x) {  // the second reads what the first has written, at the same place
        auto step = [=](auto i, D1 s) {
            const D1 first = update(s, index(i), s(i) * s(i) + x((i + 1) % 10));
            return update(first, index(i), sin(first(i)) * first((i + 9) % 10));
        };
        return for_loop(size(x), step, x);
    });
    check(built_and_read);  // what has been written goes into another state
    check([](D1 x) { return grad(built_and_read)(x); }, {.n = 5});
    check([](D1 x) {  // beside a state of which all elements change
        auto step = [=](auto i, D1 s, D1 t) { return std::tuple(update(s, index(i), t(i) * s(i)), t * t + 0.1 * s(i)); };
        const auto [s, t] = for_loop(size(x), step, x, x * 0.7);
        return s + t * 0.3;
    });
}

TEST_CASE("derivatives of updates of rows", "[derivatives][updates]") {
    for (Long n : {0, 4, 8, 36}) {
        CAPTURE(n);
        check([](D1 x) { return flatten(rows_built(x)); }, {.n = n});
    }
    check([](D1 x) { return grad([](D1 y) { return weighted(rows_built(y)); })(x); }, {.n = 12});
    check(
        [](D1 x) {  // columns, of which some are replaced twice; the next state reads what has been written
            auto step = [=](auto i, D2 m, D0 total) {
                const D2 next = update(m, all, i * 2 % 3, column(m, (i + 1) % 3) * x(i) + total);
                return std::tuple(next, total * 0.5 + sum(column(next, i * 2 % 3))());
            };
            const auto [m, total] = for_loop(5, step, reshape(x, shape(4, 3)), 0.1);
            return sum(flatten(m * m))() + total();
        },
        {.n = 12});
    check(
        [](D1 x) {  // places that states decide are not computed again
            auto step = [=](auto i, D2 m, Exp<Long> at) {
                return std::tuple(update(m, at, all, row(m, i % 3) * row(m, at) + x(at)), (at * 5 + i) % 3);
            };
            return flatten(std::get<0>(for_loop(6, step, reshape(x, shape(3, 4)), Long(1))));
        },
        {.n = 12});
    check(
        [](D1 x) {  // parts of different extents
            auto step = [](auto i, D2 m) {
                const D2 first = update(m, 1, range(0, 2), take(row(m, i % 3) * row(m, 0), 2) * 0.7);
                return update(first, all, i % 3, sin(column(first, 1)));
            };
            return flatten(for_loop(4, step, reshape(x, shape(4, 3))));
        },
        {.n = 12});
    check(
        [](D1 x) {  // planes of a cube
            const Delayed<double, 3> cube = reshape(x, shape(2, 3, 2));
            auto step = [](auto i, Delayed<double, 3> c) {
                return update(c, all, i % 3, all, slice(c, all, (i + 1) % 3, all) * slice(c, all, 0, all));
            };
            return flatten(for_loop(4, step, cube));
        },
        {.n = 12});
}

TEST_CASE("derivatives of updates of matrices and of complex numbers", "[derivatives][updates]") {
    check(
        [](D1 x) {
            auto step = [](auto i, D2 m) { return update(m, index(i % 3, i % 4), m(i % 3, i % 4) * m(0, 1) + m(2, 3)); };
            return flatten(for_loop(15, step, reshape(x, shape(3, 4))));
        },
        {.n = 12});
    check([](D1 x) {
        using Number = std::complex<double>;
        auto pair = [](D0 a, D0 b) { return record<Number>(a, b); };
        auto step = [](auto i, Delayed<Number> z) { return update(z, index(i + 1), z(i) * z(i) + z(i + 1)); };
        return map([](Exp<Number> z) { return real(z) * 2.0 + imag(z); }, for_loop(9, step, map(pair, x, reverse(x))));
    });
}

TEST_CASE("derivatives of updates in loops in loops, and in slices", "[derivatives][updates]") {
    check([](D1 x) {
        auto inner = [](auto i, D1 s) { return update(s, index(i), sin(s(i)) * s((i + 1) % 10)); };
        auto outer = [=](auto i, D1 s) { return for_loop(i * 3, inner, s); };
        return for_loop(4, outer, x);
    });
    check([](D1 x) { return vmap([](D1 row) { return sum(built(row))(); }, reshape(x, shape(3, 4))); }, {.n = 12});
    check([](D1 x) { return vmap(grad([](D1 row) { return sum(built(row))(); }), reshape(x, shape(3, 4))); }, {.n = 12});
}

TEST_CASE("arrays that are built by updates are not kept for each iteration", "[derivatives][updates]") {
    auto gradient = [](auto f) { return [=](D1 x) { return grad([=](D1 y) { return weighted(f(y)); })(x); }; };
    for (Long n : {1000, 8000}) {
        const double arrays = static_cast<double>(n) * 8e-6;
        const Array<double> x = from(scattered(n, -1, 1));
        CHECK(megabytes(gradient(built), x) < 10 * arrays);
        CHECK(megabytes(gradient(built_and_read), x) < 12 * arrays);
        CHECK(megabytes(gradient(rows_built), x) < 14 * arrays);
    }
}

TEST_CASE("a loop of many iterations keeps no more numbers than its tape may have", "[derivatives][updates]") {
    auto shrunk = [](D1 x) {
        const D0 rate = x(0);
        return while_loop([](D0 s) { return s > 0.01; }, [=](D0 s) { return s - rate * s * s; }, x(1));
    };
    const Array<double> x = from(std::vector<double>{99e-6, 1});
    CHECK(megabytes([=](D1 y) { return grad(shrunk)(y); }, x) < 4.5);
}
