// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of folds, scans, views, and of what moves elements.
#include <sinter/numeric.hpp>

#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

auto square(D1 x, Long rows, Long columns) { return reshape(x, shape(rows, columns)); }

constexpr auto affine = [](const auto& f, const auto& g) {
    auto [a, b] = f;
    auto [c, d] = g;
    return std::tuple(a * c, b * c + d);
};

}  // namespace

TEST_CASE("derivatives of sums and products", "[derivatives]") {
    for (Long n : {0, 1, 2, 7, 33}) {
        CAPTURE(n);
        check([](D1 x) { return sum(map([](auto a) { return a * a; }, x)); }, {.n = n});
        check([](D1 x) { return product(map([](auto a) { return a + 0.7; }, x)); }, {.n = n});
    }
    check([](D1 x) { return sum(square(x, 4, 6), axis(0)); }, {.n = 24});
    check([](D1 x) { return product(square(x, 4, 6), axis(1)); }, {.n = 24});
    check([](D1 x) { return sum(reshape(x, shape(2, 3, 4)), axes(0, 2)); }, {.n = 24});
    check([](D1 x) { return fold([](auto a, auto b) { return a + b; }, sum(x)(), map([](auto a) { return a * a; }, x)); });
    check([](D1 x) { return fold([](auto a, auto b) { return a * b; }, sum(x)(), map([](auto a) { return a * a; }, x)); });
}

TEST_CASE("derivatives of products with zeros", "[derivatives]") {
    auto f = [](D1 x) { return product(x); };
    CHECK(run(grad(f)(from(std::vector<double>{2, 0, 3}))).to_vector() == std::vector<double>{0, 6, 0});
    CHECK(run(grad(f)(from(std::vector<double>{2, 0, 0}))).to_vector() == std::vector<double>{0, 0, 0});
    CHECK(run(grad(f)(from(std::vector<double>{2, 5, 3}))).to_vector() == std::vector<double>{15, 6, 10});
}

TEST_CASE("derivatives of extrema", "[derivatives]") {
    check([](D1 x) { return sinter::max(x); });
    check([](D1 x) { return sinter::min(square(x, 4, 6), axis(1)); }, {.n = 24});
    check([](D1 x) { return sinter::max(reshape(x, shape(2, 3, 4)), axes(0, 2)); }, {.n = 24});
    check([](D1 x) { return fold([](auto a, auto b) { return max(a, b); }, 0.3, x); });
    auto f = [](D1 x) { return sinter::max(x); };
    CHECK(run(grad(f)(from(std::vector<double>{1, 3, 3, 2}))).to_vector() == std::vector<double>{0, 1, 0, 0});
}

TEST_CASE("derivatives of folds with other operators", "[derivatives]") {
    for (Long n : {0, 1, 2, 9}) {
        CAPTURE(n);
        check(
            [](D1 x) {
                auto pairs = zip(x, map([](auto a) { return a * a; }, x));
                auto total = fold(affine, std::tuple(1.0, 0.5), pairs);
                return map([](auto p, auto q) { return p + 3 * q; }, total);
            },
            {.n = n});
    }
    check(
        [](D1 x) {
            auto pairs = zip(square(x, 3, 4), square(reverse(x), 3, 4));
            auto total = fold(affine, std::tuple(1.0, 0.5), pairs, axis(0));
            return map([](auto p, auto q) { return p + 3 * q; }, total);
        },
        {.n = 12});
    check([](D1 x) {
        auto scale = sum(x);
        auto op = [&](auto a, auto b) { return a + b + a * b * scale(); };
        return fold(op, 0.1, x);
    });
}

TEST_CASE("derivatives of scans", "[derivatives]") {
    for (Long n : {0, 1, 2, 9}) {
        CAPTURE(n);
        const Inputs inputs{.n = n};
        auto plus = [](auto a, auto b) { return a + b; };
        auto times = [](auto a, auto b) { return a * b; };
        check([=](D1 x) { return inclusive_scan(plus, sum(x)(), x); }, inputs);
        check([=](D1 x) { return exclusive_scan(plus, sum(x)(), x); }, inputs);
        check([=](D1 x) { return inclusive_scan(plus, 0.0, x, from_right); }, inputs);
        check([=](D1 x) { return inclusive_scan(times, sum(x)(), x); }, inputs);
        check([=](D1 x) { return exclusive_scan(times, sum(x)(), x); }, inputs);
        check([=](D1 x) { return inclusive_scan(times, 2.0, x, from_right); }, inputs);
        check([=](D1 x) { return exclusive_scan(times, 2.0, x, from_right); }, inputs);
        check(
            [](D1 x) {
                auto pairs = zip(x, map([](auto a) { return a * a; }, x));
                auto all = inclusive_scan(affine, std::tuple(1.0, 0.5), pairs, from_right);
                return map([](auto p, auto q) { return p + 3 * q; }, all);
            },
            inputs);
        check([](D1 x) { return recur([](auto s, auto a) { return sin(s) + a * a; }, sum(x)(), x); }, inputs);
    }
}

TEST_CASE("derivatives of long scans", "[derivatives]") {
    const Inputs inputs{.n = 10007, .low = 0.999, .high = 1.0005, .differences = false, .tolerance = 1e-9};
    auto times = [](auto a, auto b) { return a * b; };
    check([=](D1 x) { return inclusive_scan(times, 1.0, x); }, inputs);
    check([=](D1 x) { return exclusive_scan(times, 1.0, x, from_right); }, inputs);
    check(
        [](D1 x) {
            auto pairs = zip(x, map([](auto a) { return a - 1.0; }, x));
            auto all = inclusive_scan(affine, std::tuple(1.0, 0.5), pairs);
            return map([](auto p, auto q) { return p + 3 * q; }, all);
        },
        inputs);
}

TEST_CASE("derivatives of views", "[derivatives]") {
    check([](D1 x) { return transpose(square(x, 4, 6)); }, {.n = 24});
    check([](D1 x) { return slice(x, range(2, 7)); });
    check([](D1 x) { return reverse(x); });
    check([](D1 x) { return slice(square(x, 4, 6), range(1, 3), all); }, {.n = 24});
    check([](D1 x) { return slice(x, range(1, 9, 3)); });
    check([](D1 x) { return slice(x, range(9, 1, -3)); });
    check([](D1 x) { return replicate(3, x); });
    check([](D1 x) { return concat(x, map([](auto a) { return a * a; }, x)); });
    check([](D1 x) { return rotate(x, 3); });
    check([](D1 x) { return take(x, 4); });
    check([](D1 x) {
        auto edge = sum(x);
        return pad(x, {{2, 3}}, boundary::constant(edge()));
    });
}

TEST_CASE("derivatives of stencils", "[derivatives]") {
    auto weigh = [](auto at) { return at(-1) * at(1) + 0.3 * at(0) + at(2) * at(0); };
    for (Long n : {1, 2, 3, 10}) {
        CAPTURE(n);
        check([=](D1 x) { return stencil(weigh, boundary::clamp, x); }, {.n = n});
        check([=](D1 x) { return stencil(weigh, boundary::wrap, x); }, {.n = n});
        check([=](D1 x) { return stencil(weigh, boundary::symmetric, x); }, {.n = n});
        check([=](D1 x) { return stencil(weigh, boundary::reflect, x); }, {.n = n});
        check([=](D1 x) { return stencil(weigh, boundary::constant(0.5), x); }, {.n = n});
        check([=](D1 x) { return stencil(weigh, boundary::keep, x); }, {.n = n});
    }
    check(
        [](D1 x) {
            auto f = [](auto at) { return at(-1, 0) * at(1, 1) + at(0, -1) * at(0, 0); };
            return stencil(f, boundary::clamp, square(x, 4, 6));
        },
        {.n = 24});
}

TEST_CASE("derivatives of gathers and scatters", "[derivatives]") {
    const Array<Long> twice = from(std::vector<Long>{3, 1, 3, 0, 9, 9, 9});
    const Array<Long> bins = from(std::vector<Long>{3, 1, 3, 0, -1, 2, 2, 1, 0, 3});
    check([=](D1 x) { return gather(Delayed<Long>(twice), x); });
    check([=](D1 x) { return scatter(fill(shape(5), 0.25), Delayed<Long>(bins), x); }, {.differences = false});
    check([=](D1 x) { return scatter(x, Delayed<Long>(bins), map([](auto a) { return a * a; }, x)); },
          {.differences = false});
    auto plus = [](auto a, auto b) { return a + b; };
    auto most = [](auto a, auto b) { return max(a, b); };
    check([=](D1 x) { return scatter(plus, x, Delayed<Long>(bins), map([](auto a) { return a * a; }, x)); });
    check([=](D1 x) { return scatter(most, x, Delayed<Long>(bins), map([](auto a) { return a * a; }, x)); });
    check([](D1 x) { return update(x, range(2, 5), map([](auto a) { return a * a; }, slice(x, range(5, 8)))); });
    check([](D1 x) { return update(x, index(3), sum(x)()); });
}

TEST_CASE("derivatives of selections", "[derivatives]") {
    check([](D1 x) { return median(x); });
    check([](D1 x) { return quantile(x, 0.3); }, {.n = 9});
    check([](D1 x) { return std::get<0>(top_k(map([](auto a) { return a * a; }, x), 3)); });
}

TEST_CASE("derivatives of sorts and filters", "[derivatives]") {
    check([](D1 x) { return sort(x); });
    check([](D1 x) {
        auto [keys, values] = sort_by_key(x, reverse(x));
        return map([](auto p, auto q) { return p * q; }, keys, values);
    });
    check([](D1 x) { return filter([](auto a) { return a > -0.2; }, map([](auto a) { return a * 2; }, x)); });
}

TEST_CASE("derivatives of arrays that all points read, through contractions", "[derivatives]") {
    for (Long n : {0, 1, 3, 8}) {
        CAPTURE(n);
        auto rows = [=](D1 x) { return reshape(slice(x, range(0, n * 3)), shape(n, 3)); };
        auto rest = [=](D1 x, Long first, Long count) { return slice(x, range(n * 3 + first, n * 3 + first + count)); };
        // Distances from a centre in a metric: of the centre, the matrix and the points.
        check(
            [=](D1 x) {
                const Delayed<double, 2> matrix = reshape(rest(x, 0, 6), shape(2, 3));
                const D1 centre = rest(x, 6, 3);
                return vmap(
                    [=](D1 point) {
                        const D1 y = vmap([=](D1 row) { return sum(row * (point - centre)); }, matrix);
                        return sum(y * y);
                    },
                    rows(x));
            },
            {.n = n * 3 + 9});
        // The matrix depends on nothing, or is transposed, and the centre belongs to several groups of points.
        check(
            [=](D1 x) {
                const Delayed<double, 2> matrix =
                    generate(shape(3, 3), [](auto i, auto j) { return cast<double>(i * 2 - j); });
                const Delayed<double, 2> centres = reshape(rest(x, 0, 6), shape(2, 3));
                auto of_centre = [=](D1 centre) {
                    return vmap(
                        [=](D1 point) {
                            return sum(sin(vmap([=](D1 row) { return sum(row * (centre - point)); }, transpose(matrix))));
                        },
                        rows(x));
                };
                return sum(vmap(of_centre, centres), axis(1));
            },
            {.n = n * 3 + 6});
    }
}

// A scatter may take any of several values for a place; a derivative has that of the value that is there, also on a card.
TEST_CASE("of several values that are scattered to one place, the last one and its derivatives are taken", "[derivatives]") {
    const Array<Long> bins = from(std::vector<Long>{3, 1, 3, 0, -1, 2, 2, 1, 0, 3});
    const Array<double> x = from(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    auto f = [=](D1 x) { return scatter(fill(shape(5), 0.25), Delayed<Long>(bins), map([](auto a) { return a * a; }, x)); };
    for (Target target : targets())
        for (auto strategy : strategies) {
            const Options options{.target = target, .fusion = strategy};
            const auto [value, tangent] = jvp(f, primals(x), tangents(x));
            const auto [v, t] = run(std::tuple(value, tangent), options);
            CHECK(v.to_vector() == std::vector<double>{81, 64, 49, 100, 0.25});
            CHECK(t.to_vector() == std::vector<double>{162, 128, 98, 200, 0});
            CHECK(run(grad([=](D1 x) { return sum(f(x)); })(x), options).to_vector() ==
                  std::vector<double>{0, 0, 0, 0, 0, 0, 14, 16, 18, 20});
        }
}
