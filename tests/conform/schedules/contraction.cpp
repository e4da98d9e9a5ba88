// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds over an axis of arrays that do not all depend on the same other axes: register tiles on the host.
#include "conform/support.hpp"

#include <algorithm>
#include <array>
#include <complex>

using namespace sinter;
using namespace conform;

namespace {

/// Rows, elements, columns: around the edges of register tiles, of a task, and of a part of the elements.
const std::vector<std::array<std::int64_t, 3>> shapes = {
    {0, 3, 4}, {3, 0, 4},   {3, 4, 0},   {1, 1, 1},    {2, 3, 1},   {1, 9, 40},   {6, 5, 16},   {7, 8, 17},
    {8, 7, 8}, {12, 16, 9}, {13, 2, 33}, {97, 20, 40}, {5, 523, 9}, {9, 1100, 3}, {40, 3, 523},
};
const std::vector<std::array<std::int64_t, 3>> few_shapes = {{1, 1, 1}, {6, 5, 16}, {7, 8, 17}, {13, 2, 33}, {9, 530, 35}};

template <class T>
Array<T, 2> matrix(std::int64_t rows, std::int64_t columns, int seed = 1) {
    return from(numbers<T>(rows * columns, seed), shape(rows, columns));
}

/// Combines every row of x with every column of y.
template <class F, class X, class Y>
auto rows_with_columns(F combine, X x, Y y) {
    return vmap([=](auto row) { return vmap([=](auto column) { return combine(row, column); }, transpose(y)); }, x);
}

const auto inner = [](auto row, auto column) { return sum(row * column); };

}  // namespace

TEMPLATE_TEST_CASE("matrix products", "[contraction]", std::int8_t, std::uint16_t, std::int32_t, std::int64_t, half, float,
                   double) {
    for (auto [m, k, n] : shapes) {
        if (std::is_same_v<TestType, half> && k > 64) continue;
        CAPTURE(m, k, n);
        const auto x = matrix<TestType>(m, k), y = matrix<TestType>(k, n, 3);
        const auto result = everywhere(rows_with_columns(inner, x, y));
        for (std::int64_t i = 0; i < std::min<std::int64_t>(m, 3); ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                TestType expected{};
                for (std::int64_t e = 0; e < k; ++e) expected = TestType(expected + TestType(x(i, e) * y(e, j)));
                REQUIRE(result(i, j) == expected);
            }
        auto x3 = broadcast(x, shape(m, n, k), axes(0, 2));
        auto y3 = replicate(m, transpose(y));
        require_same(result.to_vector(), everywhere(sum(x3 * y3)).to_vector());
    }
}

TEMPLATE_TEST_CASE("factors that are read through views", "[contraction]", std::int32_t, float, double) {
    for (auto [m, k, n] : few_shapes) {
        CAPTURE(m, k, n);
        const auto x = matrix<TestType>(m, k), y = matrix<TestType>(k, n, 3);
        const auto xt = run(transpose(x)), yt = run(transpose(y));
        const auto expected = run(rows_with_columns(inner, x, y)).to_vector();
        require_same(expected, everywhere(rows_with_columns(inner, transpose(xt), y)).to_vector());
        require_same(expected, everywhere(rows_with_columns(inner, x, transpose(yt))).to_vector());
        require_same(expected, everywhere(rows_with_columns(inner, transpose(xt), transpose(yt))).to_vector());
        everywhere(rows_with_columns(inner, reverse(x, 1), y));
        everywhere(rows_with_columns(inner, reverse(x, 0), reverse(y, 1)));
        const auto wide = matrix<TestType>(k, 2 * n + 1, 4);
        auto even = generate(shape(k, n), [=](auto e, auto j) { return wide(e, 2 * j + 1); });
        everywhere(rows_with_columns(inner, x, even));
    }
}

TEMPLATE_TEST_CASE("other operators", "[contraction]", std::uint8_t, std::int32_t, float, double) {
    for (auto [m, k, n] : few_shapes) {
        CAPTURE(m, k, n);
        const auto x = matrix<TestType>(m, k), y = matrix<TestType>(k, n, 3);
        everywhere(rows_with_columns([](auto a, auto b) { return min(a + b); }, x, y));
        everywhere(rows_with_columns([](auto a, auto b) { return max(a - b); }, x, y));
        everywhere(rows_with_columns([](auto a, auto b) { return any(a == b); }, x, y));
        auto last = [](auto l, auto r) { return select(r > 3, r, l); };
        everywhere(rows_with_columns([=](auto a, auto b) { return fold(last, TestType(1), a + b); }, x, y));
        auto first = [](auto l, auto) { return l; };
        everywhere(rows_with_columns([=](auto a, auto b) { return fold(first, TestType(1), a + b); }, x, y));
        auto composed = rows_with_columns(
            [=](auto a, auto b) {
                return fold(
                    conform::composition, std::tuple<std::int32_t, std::int32_t>{1, 0},
                    map([](auto p, auto q) { return std::tuple(cast<std::int32_t>(p), cast<std::int32_t>(q)); }, a, b));
            },
            x, y);
        auto [factors, terms] = unzip(composed);
        everywhere(factors);
        everywhere(terms);
    }
}

TEST_CASE("a sum in register tiles takes its terms in order", "[contraction]") {
    auto thirds = [](std::int64_t rows, std::int64_t columns, int seed) {
        auto values = numbers<float>(rows * columns, seed);
        for (float& v : values) v /= 3;
        return Array<float, 2>(from(values, shape(rows, columns)));
    };
    const auto x = thirds(96, 1200, 1), y = thirds(1200, 128, 3);
    const auto product = rows_with_columns(inner, x, y);
    const auto expected = run(product, {.target = Target::interpreter()}).to_vector();
    for (int threads : {1, 2}) require_same(expected, run(product, {.target = Target::host(threads)}).to_vector());
}

TEMPLATE_TEST_CASE("what comes before and after", "[contraction]", std::int32_t, float) {
    for (auto [m, k, n] : few_shapes) {
        CAPTURE(m, k, n);
        const auto x = matrix<TestType>(m, k), y = matrix<TestType>(k, n, 3);
        const Array<TestType> bias = from(numbers<TestType>(n, 5)), scale = from(numbers<TestType>(m, 6));
        const auto layer = vmap(
            [=](auto row, auto s) {
                return vmap([=](auto column, auto b) { return max(s * sum((row + 1) * (2 * column - 1)) + b, TestType(0)); },
                            transpose(y), bias);
            },
            x, scale);
        everywhere(layer);
        auto difference = [](auto a, auto b) { return sum((a - b) * (a - b)); };
        everywhere(rows_with_columns(difference, x, y));
        auto both = [](auto a, auto b) { return sum(a * b) - max(a + b) * sum(b); };
        everywhere(rows_with_columns(both, x, y));
        auto computed = [](auto a, auto b) {
            return sum(map([](auto p, auto q) { return p * (q * q % 7) + p * p; }, a, b));
        };
        everywhere(rows_with_columns(computed, x, y));
    }
}

TEST_CASE("batches of products", "[contraction]") {
    for (auto [m, k, n] : few_shapes) {
        CAPTURE(m, k, n);
        const Array<float, 3> x = from(numbers<float>(3 * m * k), shape(3, m, k));
        const Array<float, 3> y = from(numbers<float>(3 * k * n, 3), shape(3, k, n));
        everywhere(vmap([](auto a, auto b) { return rows_with_columns(inner, a, b); }, x, y));
        everywhere(vmap([&](auto a) { return rows_with_columns(inner, a, matrix<float>(k, n)); }, x));
        auto every = shape(m, 3, n, k);  // a row, a factor, a column, an element
        auto x4 = generate(every, [=](auto i, auto b, auto, auto e) { return x(b, i, e); });
        auto y4 = generate(every, [=](auto, auto b, auto j, auto e) { return y(b, e, j); });
        everywhere(sum(x4 * y4));
    }
}

// An array has the vectors of the whole batch side by side, for one point after another: parts of points are as long as
// their pages are few, here 16 and more.
TEMPLATE_TEST_CASE("sums over points of outer products of many vectors", "[contraction]", std::int32_t, float, double) {
    for (auto [points, vectors, d] :
         std::vector<std::array<std::int64_t, 3>>{{0, 3, 2}, {3, 0, 2}, {1, 1, 1}, {17, 5, 7}, {70, 40, 9}, {33, 25, 10}}) {
        CAPTURE(points, vectors, d);
        const Array<TestType, 3> x = from(numbers<TestType>(points * vectors * d), shape(points, vectors, d)),
                                 y = from(numbers<TestType>(points * vectors * d, 3), shape(points, vectors, d));
        auto every = shape(points, vectors, d, d);
        auto left = broadcast(x, every, axes(0, 1, 2)), right = broadcast(y, every, axes(0, 1, 3));
        everywhere(sum(left * right, axis(0)));
        everywhere(sum(reverse(left, 0) * reverse(right, 0), axis(0)));
        auto last = [](auto l, auto r) { return select(r > TestType(3), r, l); };
        everywhere(fold(last, TestType(1), left - right, axis(0)));
    }
}

TEST_CASE("products over two axes", "[contraction]") {
    for (auto [m, k, n] : few_shapes) {
        CAPTURE(m, k, n);
        const auto image = matrix<std::int32_t>(m + 2, k + 1), weights = matrix<std::int32_t>(3 * (k + 1), n, 3);
        auto windows = generate(shape(m, n, 3, k + 1), [=](auto p, auto, auto r, auto e) { return image(p + r, e); });
        auto kernel =
            generate(shape(m, n, 3, k + 1), [=, w = k + 1](auto, auto j, auto r, auto e) { return weights(r * w + e, j); });
        everywhere(sum(windows * kernel, axes(2, 3)));
    }
}

TEST_CASE("checks in register tiles", "[contraction]") {
    const std::int64_t m = 20, k = 300, n = 37;
    const auto x = matrix<std::int32_t>(m, k), y = matrix<std::int32_t>(k, n, 3);
    auto order = numbers<std::int64_t>(k);
    for (auto& i : order) i = (i + 5) * 20;
    const Array<std::int64_t> rows = from(order);
    auto picked = [&](const Array<std::int64_t>& at) {
        return generate(shape(k, n), [=](auto e, auto j) { return y(at(e), j); });
    };
    everywhere(rows_with_columns(inner, x, picked(rows)));
    order[250] = k;
    const Array<std::int64_t> wrong = from(order);
    for (int threads : {1, 2})
        REQUIRE_THROWS_AS(run(rows_with_columns(inner, x, picked(wrong)), {.target = Target::host(threads)}), IndexError);
    auto ratio = [](auto a, auto b) { return sum(a / b); };
    const auto ones = run(y * y + 1);
    everywhere(rows_with_columns(ratio, x, ones));
    REQUIRE_THROWS_AS(run(rows_with_columns(ratio, x, y), {.target = Target::host(2)}), DomainError);
}
