// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows so short that lanes go across them: widths and numbers of rows around those of vectors and blocks.
#include "conform/support.hpp"

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

const std::vector<std::int64_t> widths = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
const std::vector<std::int64_t> counts = {1, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 67};

template <class T>
Delayed<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
    return from(numbers<T>(rows * columns), shape(rows, columns));
}

/// Calls `check(rows, columns)` with every width and a few numbers of rows.
template <class F>
void for_shapes(F check) {
    for (std::size_t k = 0; k < widths.size(); ++k)
        for (std::size_t r = k % 3; r < counts.size(); r += 3) {
            CAPTURE(counts[r], widths[k]);
            check(counts[r], widths[k]);
        }
}

}  // namespace

TEMPLATE_TEST_CASE("folds, then maps and folds of the same short row", "[rows]", std::int8_t, std::uint16_t, std::int32_t,
                   std::int64_t, half, float, double) {
    using T = TestType;
    for_shapes([](std::int64_t rows, std::int64_t columns) {
        const Delayed<T, 2> a = matrix<T>(rows, columns);
        const Delayed<T, 1> gain = from(numbers<T>(columns, 3));
        everywhere(sum(a, axis(1)));
        everywhere(vmap(
            [=](Delayed<T, 1> row) {
                auto total = sum(row);
                auto most = fold([](auto x, auto y) { return max(x, y); }, T(-5.f), row);
                auto least = fold([](auto x, auto y) { return min(x, y); }, T(5.f), row);
                return map([=](auto x, auto g) { return select(x == most(), total() - g, x * g + least()); }, row, gain);
            },
            a));
    });
}

TEMPLATE_TEST_CASE("what is kept of short rows", "[rows]", std::int32_t, std::uint8_t, std::int64_t) {
    using T = TestType;
    auto costly = [](auto x) { return (x * T(7) + T(3)) / (x * x + T(1)) * (x + T(6)) - (x * x + T(1)) / T(3); };
    for_shapes([=](std::int64_t rows, std::int64_t columns) {
        everywhere(vmap(
            [=](Delayed<T, 1> row) {
                auto least = fold([](auto x, auto y) { return min(x, y); }, T(100), row);
                auto values = map([=](auto x) { return costly(x - least()); }, row);
                auto total = sum(values);
                auto again = map([=](auto v) { return costly(v + total()); }, values);
                auto most = fold([](auto x, auto y) { return max(x, y); }, T(0), again);
                return map([=](auto v, auto w) { return w * T(3) - v + most(); }, values, again);
            },
            matrix<T>(rows, columns)));
    });
}

TEST_CASE("an operator that is not commutative, along short rows", "[rows]") {
    const std::tuple<std::int64_t, std::int64_t> one{1, 0};
    for_shapes([=](std::int64_t rows, std::int64_t columns) {
        const Delayed<std::int64_t, 2> a = matrix<std::int64_t>(rows, columns);
        auto all = fold(conform::composition, one, map([](auto x) { return std::tuple(x, x + 1); }, a), axis(1));
        auto back = broadcast(get<1>(all), shape(rows, columns), axes(0));
        everywhere(map([](auto x, auto y) { return x * y; }, a, back));
        const Delayed<std::int64_t, 3> cube = from(numbers<std::int64_t>(rows * 3 * columns), shape(3, rows, columns));
        auto both = fold(conform::composition, one, map([](auto x) { return std::tuple(x, x + 1); }, cube), axes(0, 2));
        everywhere(get<1>(both));
    });
}

TEST_CASE("elements of short rows that differ by their place, and read other rows", "[rows]") {
    for_shapes([](std::int64_t rows, std::int64_t columns) {
        const Delayed<std::int32_t, 2> a = matrix<std::int32_t>(rows, columns);
        auto totals = sum(a, axis(1));
        everywhere(map_indexed(
            [=](auto i, auto j, auto x) {
                return cond(
                    j <= i, [=] { return x * totals(i) + cast<std::int32_t>(j); },
                    [=] {
                        auto [k, v] = while_loop([=](auto k, auto v) { return k < 9 && v < 40; },
                                                 [=](auto k, auto v) { return std::tuple(k + 1, v + x * x + 1); },
                                                 Exp<std::int32_t>(0), x);
                        return v + k;
                    });
            },
            a));
        const Delayed<std::int64_t, 2> places =
            generate(shape(rows, columns), [=](auto i, auto j) { return (i * 3 + j * 5) % rows; });
        auto picked = map_indexed([=](auto, auto j, auto p) { return a(p, columns - 1 - j); }, places);
        auto sums = sum(picked, axis(1));
        everywhere(map_indexed([=](auto i, auto, auto x) { return x - sums(i); }, picked));
    });
}

TEST_CASE("an index out of range in one of many short rows", "[rows]") {
    for (std::int64_t rows : {9, 16, 100})
        for (std::int64_t columns : {3, 8, 9}) {
            CAPTURE(rows, columns);
            std::vector<std::int64_t> at(static_cast<std::size_t>(rows * columns), 1);
            at[static_cast<std::size_t>(rows * columns - 2)] = 7;
            const Delayed<std::int64_t, 2> places = from(at, shape(rows, columns));
            const Delayed<double, 1> table = from(std::vector<double>(7, 1.0));
            auto picked = map([=](auto p) { return table(p); }, places);
            auto sums = sum(picked, axis(1));
            auto less = map_indexed([=](auto i, auto, auto x) { return x - sums(i); }, picked);
            for (Target target : conform::targets()) CHECK_THROWS_AS(run(less, {.target = target}), IndexError);
        }
}

TEST_CASE("views of short rows, and rows along other axes", "[rows]") {
    for_shapes([](std::int64_t rows, std::int64_t columns) {
        const Delayed<float, 3> cube = from(numbers<float>(rows * 2 * columns), shape(rows, columns, 2));
        const Delayed<float, 3> turned = transpose(cube, {2, 0, 1});
        auto sums = sum(turned, axis(2));
        everywhere(map([](auto x, auto s) { return x - s; }, turned, broadcast(sums, shape(2, rows, columns), axes(0, 1))));
        const Delayed<float, 2> backwards = reverse(matrix<float>(rows, columns), axis(1));
        auto most = max(backwards, axis(1));
        everywhere(map([](auto x, auto m) { return x == m; }, backwards, broadcast(most, shape(rows, columns), axes(0))));
        everywhere(any(map([](auto x) { return x > 4.f; }, backwards), axis(1)));
    });
}

TEST_CASE("equal short rows have equal results, wherever they are", "[rows]") {
    for (std::int64_t columns : widths)
        for (std::int64_t rows : {2, 13, 1027}) {
            CAPTURE(rows, columns);
            std::vector<float> values(static_cast<std::size_t>(rows * columns));
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = 0.37f * static_cast<float>((k % static_cast<std::size_t>(columns) * 29) % 17);
            auto softmax = vmap(
                [](Delayed<float, 1> row) {
                    Delayed<float, 1> e = exp(row - max(row));
                    return e / sum(e);
                },
                Delayed<float, 2>(from(values, shape(rows, columns))));
            for (Target target : conform::targets()) {
                const auto got = run(softmax, {.target = target}).to_vector();
                const std::vector<float> first(got.begin(), got.begin() + columns);
                for (std::int64_t i = 1; i < rows; ++i)
                    conform::require_same(first, {got.begin() + i * columns, got.begin() + (i + 1) * columns});
            }
        }
}

TEMPLATE_TEST_CASE("long functions of short rows, whose vectors go alone", "[rows]", std::int32_t, float, double) {
    using T = TestType;
    auto polynomial = [](auto x) {
        auto y = x;
        for (int k = 0; k < 30; ++k) y = y * x + T(k % 5 - 2);
        return y;
    };
    for (std::int64_t columns : {1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 130}) {
        CAPTURE(columns);
        const Delayed<T, 2> a = map([](auto x) { return x % T(2); }, matrix<T>(9, columns));
        everywhere(map([=](auto x, auto y) { return polynomial(x) - y; }, a, reverse(a, axis(0))));
        everywhere(map_indexed([=](auto i, auto j, auto x) { return polynomial(x) + cast<T>(i - j); }, a));
        for (std::int64_t rows : {1, 3, 4, 6}) {
            const Delayed<T, 3> cube = from(numbers<T>(3 * rows * columns), shape(3, rows, columns));
            const Delayed<T, 2> shifted = slice(reshape(cube, shape(3 * rows, columns)), range(rows / 2, 2 * rows), all);
            const Delayed<T, 1> scale = from(numbers<T>(columns, 2), shape(columns));
            auto scaled = [=](auto x, auto s) { return polynomial(x % T(2)) * s; };
            everywhere(map(scaled, cube, broadcast(scale, shape(3, rows, columns), axes(2))));
            everywhere(map(scaled, shifted, broadcast(scale, shape(2 * rows - rows / 2, columns), axes(1))));
        }
    }
}

TEMPLATE_TEST_CASE("long functions of short rows, in runs that end within tasks", "[rows]", std::int32_t, float) {
    using T = TestType;
    constexpr std::int64_t taps = 20;
    for (std::int64_t columns : {5, 16, 17, 50})
        for (std::int64_t rows : {1, 3, 4, 5, 61}) {
            CAPTURE(columns, rows);
            const std::int64_t images = 1 + 1200 / rows;
            const Delayed<T, 3> in = from(numbers<T>(images * (rows + taps) * columns), shape(images, rows + taps, columns));
            const Delayed<T, 2> weights = matrix<T>(taps, columns);
            Delayed<T, 3> shifted = fill(shape(images, rows, columns), T(1));
            for (std::int64_t p = 0; p < taps; ++p) {
                auto window = slice(in, all, range(p, p + rows), all);
                auto weight = broadcast(slice(weights, p, all), shape(images, rows, columns), axes(2));
                shifted = map([](auto t, auto x, auto w) { return t + x * w; }, shifted, window, weight);
            }
            everywhere(shifted);
            everywhere(generate(shape(images, rows, columns), [=](auto n, auto i, auto j) {
                Exp<T> t = T(1);
                for (std::int64_t p = 0; p < taps; ++p) t = t + in(n, i + p, j) * weights(p, j);
                return t;
            }));
        }
}

TEST_CASE("an index out of range in long functions of short rows", "[rows]") {
    constexpr std::int64_t taps = 20, columns = 16;
    for (std::int64_t rows : {3, 9, 200}) {
        CAPTURE(rows);
        const Delayed<float, 2> in = matrix<float>(rows + taps - 2, columns), weights = matrix<float>(taps, columns);
        auto outside = generate(shape(rows, columns), [=](auto i, auto j) {
            Exp<float> t = 1.f;
            for (std::int64_t p = 0; p < taps; ++p) t = t + in(i + p, j) * weights(p, j);
            return t;
        });
        for (Target target : conform::targets()) CHECK_THROWS_AS(run(outside, {.target = target}), IndexError);
    }
}

TEMPLATE_TEST_CASE("products of windows whose places are quotients of an index", "[rows][products]", std::int32_t, float) {
    using T = TestType;
    constexpr std::int64_t height = 9, channels = 3, window = 2, taps = window * window * channels;
    for (std::int64_t width : {2, 3, 7, 13, 14, 27})
        for (std::int64_t outputs : {1, 5, 8, 16, 17, 33}) {
            CAPTURE(width, outputs);
            const Delayed<T, 3> image = from(numbers<T>(height * width * channels), shape(height, width, channels));
            const Delayed<T, 2> filters = matrix<T>(outputs, taps);
            auto at = [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
                return vmap(
                    [=](Delayed<T, 1> filter) {
                        auto term = [=](Exp<std::int64_t> e) {
                            return image(i + e / (window * channels), j + e / channels % window, e % channels) * filter(e);
                        };
                        return sum(map(term, iota(taps)));
                    },
                    filters);
            };
            everywhere(vmap(
                [=](Exp<std::int64_t> i) {
                    return vmap([=](Exp<std::int64_t> j) { return at(i, j); }, iota(width - window + 1));
                },
                iota(height - window + 1)));
        }
}
