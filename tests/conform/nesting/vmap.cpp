// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested parallelism: slices of any rank, several arguments and results, nests, captures, folds of rows.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

TEST_CASE("functions of rows", "[vmap]") {
    for (std::int64_t rows : {0, 1, 7, 33}) {
        for (std::int64_t columns : {0, 1, 9, 130}) {
            CAPTURE(rows, columns);
            Array<float, 2> m = from(numbers<float>(rows * columns), shape(rows, columns));
            Array<float> tops = from(numbers<float>(rows, 4));
            auto sums = vmap([](Delayed<float> row) { return sum(row); }, m);
            require_same(run(sum(m)).to_vector(), everywhere(sums).to_vector());
            auto doubled = vmap([](Delayed<float> row) { return row * 2.f; }, m);
            require_same(run(m * 2.f).to_vector(), everywhere(doubled).to_vector());
            everywhere(
                vmap([](Delayed<float> row, Exp<float> top) { return map([=](auto v) { return v - top; }, row); }, m, tops));
            auto [shifted, totals] = vmap([](auto row) { return std::tuple(row + 1.f, fold(std::plus<>{}, 1.f, row)); }, m);
            everywhere(shifted);
            everywhere(totals);
            everywhere(vmap([](auto row) { return inclusive_scan(std::plus<>{}, row); }, m));
        }
    }
}

TEST_CASE("matrix products", "[vmap]") {
    for (std::int64_t n : {0, 1, 3, 17}) {
        CAPTURE(n);
        auto hx = numbers<double>(n * 5), hy = numbers<double>(5 * n, 3);
        Array<double, 2> x = from(hx, shape(n, 5)), y = from(hy, shape(5, n));
        auto product = vmap(
            [&](Delayed<double> row) {
                return vmap([=](Delayed<double> column) { return sum(row * column); }, transpose(y));
            },
            x);
        auto result = everywhere(product);
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                double expected = 0;
                for (std::int64_t k = 0; k < 5; ++k) expected += x(i, k) * y(k, j);
                REQUIRE(result(i, j) == expected);
            }
    }
}

TEST_CASE("functions of scalars and of matrices", "[vmap]") {
    Array<float> x = from(numbers<float>(9));
    Array<float, 3> c = from(numbers<float>(2 * 3 * 4), shape(2, 3, 4));
    everywhere(vmap([](auto v) { return v + 1; }, x));
    everywhere(vmap([](Exp<float>) { return 3.f; }, x));
    everywhere(vmap([&](Exp<float> v) { return x * sum(x)() + v; }, x));
    everywhere(vmap([](Delayed<float, 2> plane) { return transpose(plane); }, c));
    everywhere(vmap([](Delayed<float, 2> plane) { return sum(plane, axis(0)); }, c));
    everywhere(vmap([](auto plane) { return vmap([](auto row) { return sum(row); }, plane); }, c));
    auto pairs = zip(x, from(numbers<std::int32_t>(9)));
    auto [a, b] = unzip(vmap([](auto p) { return std::tuple(get<1>(p), get<0>(p)); }, pairs));
    everywhere(a);
    everywhere(b);
}

TEST_CASE("vmap in compiled programs, loops and branches", "[vmap]") {
    auto program = compile([](Delayed<float, 2> m, Exp<float> k) {
        auto scaled = vmap([=](Delayed<float> row) { return row * k; }, m);
        return for_loop(
            2, [](auto, Delayed<float, 2> s) { return vmap([](auto row) { return row + sum(row); }, s); }, scaled);
    });
    Array<float, 2> m = from(numbers<float>(12), shape(3, 4));
    auto step = [](auto s) { return map([](auto v, auto t) { return v + t; }, s, broadcast(sum(s), shape(3, 4), axes(0))); };
    require_same(run(step(step(m * 2.f))).to_vector(), program(m, 2.f).to_vector());
}

TEST_CASE("folds of rows", "[vmap]") {
    for (std::int64_t rows : {0, 1, 7, 33}) {
        CAPTURE(rows);
        Array<float, 2> m = from(numbers<float>(rows * 9), shape(rows, 9));
        auto zeros = fill(shape(9), 0.f);
        auto columns = fold([](Delayed<float> p, Delayed<float> q) { return p + q; }, zeros, m);
        require_same(run(sum(m, axis(0))).to_vector(), everywhere(columns).to_vector());
        everywhere(fold([](auto p, auto q) { return reverse(p) + q; }, zeros, m));
    }
}

TEST_CASE("arguments of different lengths", "[vmap]") {
    Array<float, 2> m = from(numbers<float>(12), shape(3, 4));
    Array<float> x = from(numbers<float>(4));
    REQUIRE_THROWS_AS(vmap([](auto row, auto v) { return row + v; }, m, x), ShapeError);
}

TEST_CASE("folds of what is kept of each slice", "[vmap]") {
    using Long = std::int64_t;
    auto odd = [](Exp<int> v) { return v % 2 != 0; };
    for (Long n : {0, 1, 5, 33})
        for (Long m : {0, 1, 4, 40}) {
            CAPTURE(n, m);
            Array<int, 2> a = from(numbers<int>(n * m), shape(n, m));
            everywhere(vmap([=](Delayed<int> row) { return sum(filter(odd, row)); }, a));
            everywhere(vmap([=](Delayed<int> row) { return size(filter(odd, row)); }, a));
            auto variance = [=](Delayed<int> row) {
                auto kept = filter(odd, row);
                auto mean = sum(kept)() / cast<int>(max(size(kept), Exp<Long>(1)));
                auto far = map([=](Exp<int> v) { return round(exp2(cast<float>(min(max(v - mean, -4), 4)))); }, kept);
                return sum(map([=](Exp<float> v) { return v * v; }, far));
            };
            everywhere(vmap(variance, a));
            auto both = [=](Delayed<int> row) {
                auto [yes, no] = partition(odd, row);
                auto large = filter([](Exp<int> v) { return v > 5; }, yes);
                return fold([](auto x, auto y) { return max(x, y); }, -1, large)() * 100 + sum(no)();
            };
            everywhere(vmap(both, a));
            everywhere(vmap([=](Delayed<int> row) { return row + sum(filter(odd, row))(); }, a));
            everywhere(vmap(
                [=](Exp<int> first) { return sum(filter([=](Exp<int> v) { return v > first; }, from(numbers<int>(m, 2)))); },
                from(numbers<int>(n, 3))));
        }
    Array<int, 2> a = from(numbers<int>(12), shape(3, 4));
    everywhere(vmap(
        [=](Delayed<int> row) {
            return fold1([](auto x, auto y) { return max(x, y); },
                         inclusive_scan([](auto x, auto y) { return x + y; }, filter(odd, row)));
        },
        a));
}

TEST_CASE("loops over the extent of a slice: one that fills, one that reads what it has filled", "[vmap]") {
    using Long = std::int64_t;
    for (Long n : {0, 1, 5})
        for (Long m : {1, 3, 17}) {
            CAPTURE(n, m);
            Array<Long, 3> a = from(numbers<Long>(n * 3 * m), shape(n, 3, m));
            auto sweep = [](Delayed<Long> line) {
                const Exp<Long> count = extent(line, 0);
                auto forward = [=](Exp<Long> k, Delayed<Long> filled, Exp<Long> last) {
                    const Exp<Long> next = last * 3 + line(k) - line(min(k + 1, count - 1));
                    return std::tuple(update(filled, index(k), next), next);
                };
                auto [filled, last] = for_loop(count, forward, fill(shape(count), Long{0}), Long{1});
                auto backward = [=, filled = filled](Exp<Long> k, Delayed<Long> out, Exp<Long> x) {
                    const Exp<Long> at = count - 1 - k, next = filled(at) - x * 5;
                    return std::tuple(update(out, index(at), next), next);
                };
                auto [out, first] = for_loop(count, backward, line, last());
                return out;
            };
            const auto swept = everywhere(vmap([=](Delayed<Long, 2> plane) { return vmap(sweep, plane); }, a));
            if (n > 0) CHECK(swept(0, 0, m - 1) != a(0, 0, m - 1));
        }
}
