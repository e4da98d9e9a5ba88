// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eliminations of matrices that are large enough to be done by blocks of steps: the same bits as step by step.
#include "conform/support.hpp"

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using Longs = Delayed<Long, 2>;
template <class T>
using Matrix = Delayed<T, 2>;
template <class T>
using Line = Delayed<T, 1>;

/// Dominant on the diagonal, so that pivots are far from 0.
template <class T>
std::vector<T> dominant(Long rows, Long columns) {
    std::vector<T> values;
    for (Long i = 0; i < rows; ++i)
        for (Long j = 0; j < columns; ++j)
            values.push_back(static_cast<T>((i * 131 + j * 71) % 97) / 97 + (i == j ? static_cast<T>(rows) : 0));
    return values;
}

template <class T>
std::vector<T> eliminated(std::vector<T> a, Long rows, Long columns, Long count) {
    for (Long k = 0; k < count; ++k)
        for (Long i = k + 1; i < rows; ++i) {
            const T factor = a[i * columns + k] /= a[k * columns + k];
            for (Long j = k + 1; j < columns; ++j) {
                const T product = factor * a[k * columns + j];
                a[i * columns + j] -= product;
            }
        }
    return a;
}

template <class T>
Matrix<T> by_rows(Matrix<T> a, I count) {
    auto rows = extent(a, 0), columns = extent(a, 1);
    auto step = [=](I k, Matrix<T> a) {
        auto below = range(k + 1, rows), right = range(k + 1, columns), here = range(k, k + 1);
        Line<T> left = map([=](Exp<T> x) { return x / a(k, k); }, reshape(slice(a, below, here), shape(rows - k - 1)));
        Line<T> top = reshape(slice(a, here, right), shape(columns - k - 1));
        Matrix<T> block = vmap([=](Line<T> row, Exp<T> factor) { return row - factor * top; }, slice(a, below, right), left);
        return update(update(a, below, k, left), below, right, block);
    };
    return for_loop(count, step, a);
}

template <class T>
Matrix<T> by_slices(Matrix<T> a, I count) {
    auto rows = extent(a, 0), columns = extent(a, 1);
    auto step = [=](I k, Matrix<T> a) {
        auto below = range(k + 1, rows), right = range(k + 1, columns), here = range(k, k + 1);
        a = update(a, below, here, map([=](Exp<T> x) { return x / a(k, k); }, slice(a, below, here)));
        Line<T> left = reshape(slice(a, below, here), shape(rows - k - 1));
        Line<T> top = reshape(slice(a, here, right), shape(columns - k - 1));
        auto outer = transpose(replicate(columns - k - 1, left)) * replicate(rows - k - 1, top);
        return update(a, below, right, slice(a, below, right) - outer);
    };
    return for_loop(count, step, a);
}

/// The pivot as an array without axes.
template <class T>
Matrix<T> by_pivot(Matrix<T> a, I count) {
    auto rows = extent(a, 0), columns = extent(a, 1);
    auto step = [=](I k, Matrix<T> a) {
        auto below = range(k + 1, rows), right = range(k + 1, columns);
        Line<T> left = slice(a, below, k) / a(k, k), top = slice(a, k, right);
        a = update(a, below, k, left);
        Matrix<T> block = vmap([=](Line<T> row, Exp<T> factor) { return row - factor * top; }, slice(a, below, right), left);
        return update(a, below, right, block);
    };
    return for_loop(count, step, a);
}

template <class T>
Matrix<T> by_index(Matrix<T> a, I count) {
    auto step = [](I k, Matrix<T> a) {
        return map_indexed(
            [=](I i, I j, Exp<T> x) {
                auto factor = a(i, k) / a(k, k);
                return cond(
                    i > k && j >= k, [&] { return select(j == k, factor, x - factor * a(k, j)); }, [&] { return x; });
            },
            a);
    };
    return for_loop(count, step, a);
}

std::vector<Target> compiled_targets() {
    std::vector<Target> result;
    for (Target target : targets())
        if (target != Target::interpreter()) result.push_back(target);
    return result;
}

template <class T, class F>
void check_elimination(F f, std::vector<std::pair<Long, Long>> shapes, bool all_steps) {
    for (const Target& target : compiled_targets()) {
        auto g = compile(f, {.target = target});
        for (auto [rows, columns] : shapes) {
            const Long all = std::min(rows, columns) - 1, count = all_steps ? all : std::min<Long>(all, 70);
            CAPTURE(rows, columns, count);
            const std::vector<T> values = dominant<T>(rows, columns);
            const Array<T, 2> result = g(from(values, shape(rows, columns)), count);
            CHECK(result.to_vector() == eliminated(values, rows, columns, count));
        }
    }
}

/// for k < count: a(i, j) = f(k, i, j, a(i, j), a) where holds(k, i, j).
template <class Holds, class F>
void steps(Long rows, Long columns, Long count, Holds holds, F f) {
    CAPTURE(rows, columns, count);
    const Longs a = from(numbers<Long>(rows * columns), shape(rows, columns));
    auto step = [=](I k, Longs a) {
        return map_indexed([=](I i, I j, I x) { return select(holds(k, i, j), f(k, i, j, x, a), x); }, a);
    };
    everywhere(for_loop(count, step, a));
}

}  // namespace

TEST_CASE("eliminations of large matrices, in three forms", "[blocked_steps]") {
    check_elimination<double>(by_rows<double>, {{256, 256}, {100, 100}}, true);
    check_elimination<double>(by_rows<double>, {{300, 300}, {321, 300}}, false);
    check_elimination<double>(by_slices<double>, {{257, 257}, {256, 300}}, false);
    check_elimination<double>(by_index<double>, {{288, 288}, {40, 40}}, false);
    check_elimination<double>(by_pivot<double>, {{260, 260}, {256, 270}, {40, 40}}, false);
    check_elimination<float>(by_rows<float>, {{261, 256}, {256, 290}}, false);
    check_elimination<float>(by_index<float>, {{257, 257}}, false);
    check_elimination<double>(by_index<double>, {{256, 290}, {290, 256}, {40, 41}, {41, 40}}, false);
}

TEST_CASE("Gauss on large matrices of any shape, which keep what is below the diagonal as zeros", "[blocked_steps]") {
    auto by_index = [](Matrix<double> a, I count) {
        auto step = [](I k, Matrix<double> a) {
            return map_indexed(
                [=](I i, I j, Exp<double> x) { return select(i > k && j >= k, x - a(i, k) / a(k, k) * a(k, j), x); }, a);
        };
        return for_loop(count, step, a);
    };
    auto by_slices = [](Matrix<double> a, I count) {
        auto rows = extent(a, 0), columns = extent(a, 1);
        auto step = [=](I k, Matrix<double> a) {
            auto below = range(k + 1, rows), right = range(k, columns);
            Line<double> left = slice(a, below, k) / a(k, k), top = slice(a, k, right);
            auto row = [=](Line<double> row, Exp<double> factor) { return row - factor * top; };
            return update(a, below, right, vmap(row, slice(a, below, right), left));
        };
        return for_loop(count, step, a);
    };
    for (const Target& target : compiled_targets()) {
        auto indices = compile(by_index, {.target = target}), slices = compile(by_slices, {.target = target});
        for (auto [rows, columns, count] : {std::tuple<Long, Long, Long>{256, 257, 256},
                                            {270, 256, 70},
                                            {256, 256, 40},
                                            {256, 300, 0},
                                            {20, 21, 20},
                                            {21, 20, 20}}) {
            CAPTURE(rows, columns, count);
            const std::vector<double> values = dominant<double>(rows, columns);
            std::vector<double> expected = values;
            for (Long k = 0; k < count; ++k)
                for (Long i = k + 1; i < rows; ++i) {
                    const double factor = expected[i * columns + k] / expected[k * columns + k];
                    for (Long j = k; j < columns; ++j) {
                        const double product = factor * expected[k * columns + j];
                        expected[i * columns + j] -= product;
                    }
                }
            CHECK(indices(from(values, shape(rows, columns)), count).to_vector() == expected);
            CHECK(slices(from(values, shape(rows, columns)), count).to_vector() == expected);
        }
        CHECK_THROWS_AS(indices(from(dominant<double>(256, 300), shape(256, 300)), Long{258}), Error);
        CHECK_THROWS_AS(indices(from(dominant<double>(300, 256), shape(300, 256)), Long{258}), Error);
    }
}

TEST_CASE("factors from the left and the right", "[blocked_steps]") {
    constexpr Long n = 260;
    std::vector<double> values = dominant<double>(n, n), expected;
    for (Long i = 0; i < n; ++i)
        for (Long j = 0; j < i; ++j) values[j * n + i] = values[i * n + j];
    expected = values;
    for (Long k = 0; k < n; ++k) {
        const double pivot = expected[k * n + k] = std::sqrt(expected[k * n + k]);
        for (Long i = k + 1; i < n; ++i) expected[i * n + k] /= pivot;
        for (Long i = k + 1; i < n; ++i)
            for (Long j = k + 1; j <= i; ++j) {
                const double product = expected[i * n + k] * expected[j * n + k];
                expected[i * n + j] -= product;
            }
    }
    auto factor = [](Matrix<double> a) {
        auto n = extent(a, 0);
        auto step = [=](I k, Matrix<double> a) {
            auto below = range(k + 1, n), here = range(k, k + 1);
            Matrix<double> pivot = map([](Exp<double> x) { return sqrt(x); }, slice(a, here, here));
            Line<double> column =
                map([=](Exp<double> x) { return x / sqrt(a(k, k)); }, reshape(slice(a, below, here), shape(n - k - 1)));
            Matrix<double> block =
                map_indexed([=](I i, I j, Exp<double> x) { return select(j <= i, x - column(i) * column(j), x); },
                            slice(a, below, below));
            return update(update(update(a, here, here, pivot), below, k, column), below, below, block);
        };
        return for_loop(n, step, a);
    };
    auto by_index = [](Matrix<double> a) {
        auto step = [](I k, Matrix<double> a) {
            return map_indexed(
                [=](I i, I j, Exp<double> x) {
                    auto pivot = sqrt(a(k, k));
                    auto column = select(i == k, pivot, x / pivot), rest = x - a(i, k) / pivot * (a(j, k) / pivot);
                    return select(i >= j && j >= k, select(j == k, column, rest), x);
                },
                a);
        };
        return for_loop(extent(a, 0), step, a);
    };
    for (const Target& target : compiled_targets()) {
        CHECK(compile(factor, {.target = target})(from(values, shape(n, n))).to_vector() == expected);
        CHECK(compile(by_index, {.target = target})(from(values, shape(n, n))).to_vector() == expected);
    }
}

TEST_CASE("steps of other kinds on large matrices", "[blocked_steps]") {
    constexpr Long n = 257, count = 37;
    const auto right = [](I k, I i, I j) { return i > k && j >= k; };
    steps(n, n, count, right, [](I k, I i, I j, I x, Longs a) { return x * 3 - a(i, k) * a(k, j) + i - 2 * j + k; });
    steps(n, n, count, right, [](I k, I i, I j, I x, Longs a) { return max(min(x, a(i, k)), a(k, j) - a(k, k)); });
    for (auto [rows, columns] : {std::pair<Long, Long>{257, 300}, {300, 257}, {37, 40}, {40, 37}}) {
        steps(rows, columns, count, right,
              [](I k, I i, I j, I x, Longs a) { return x * 3 - a(i, k) * a(k, j) + i + j * k; });
        steps(
            rows, columns, count, [](I k, I i, I j) { return i >= j && j >= k; },
            [](I k, I i, I j, I x, Longs a) { return select(j == k, x + i, x - a(i, k) * a(k, j)); });
    }
    steps(
        n, n, count, [](I k, I i, I j) { return i >= j && j >= k; },
        [](I k, I i, I j, I x, Longs a) { return select(j == k, x + i, x - a(i, k) * a(j, k)); });
    steps(
        n, n, count, [](I k, I i, I j) { return i >= k && j > k; },
        [](I k, I i, I j, I x, Longs a) { return select(i == k, x - a(k, k), select(j > i, x, x + a(i, k) * a(k, j))); });
}

TEST_CASE("steps on large matrices that need more than a row and a column", "[blocked_steps]") {
    constexpr Long n = 256, count = 3;
    const Longs a = from(numbers<Long>(n * n), shape(n, n));
    auto next = [=](I k, Longs a) {
        auto below = range(k + 1, n);
        Line<Long> row = reshape(slice(a, range(k + 1, k + 2), below), shape(n - k - 1));
        return update(a, below, below, vmap([=](Line<Long> x) { return x - row; }, slice(a, below, below)));
    };
    everywhere(for_loop(count, next, a));
    auto total = [=](I k, Longs a) {
        auto below = range(k + 1, n);
        auto sums = sum(slice(a, below, below), axis(0));
        return update(a, below, below, vmap([=](Line<Long> x) { return x + sums; }, slice(a, below, below)));
    };
    everywhere(for_loop(count, total, a));
    auto twice = [=](I k, Longs a) {
        auto below = range(k + 1, n), here = range(k, k + 1);
        Line<Long> row = reshape(slice(a, here, below), shape(n - k - 1));
        a = update(a, below, below, vmap([=](Line<Long> x) { return x - row; }, slice(a, below, below)));
        return update(a, here, below, slice(a, range(n - 1, n), below));
    };
    everywhere(for_loop(count, twice, a));
}

TEST_CASE("eliminations of large matrices with counters beyond them", "[blocked_steps]") {
    for (const Target& target : targets()) {
        auto f = compile(by_rows<double>, {.target = target});
        CHECK_THROWS_AS(f(from(dominant<double>(256, 256), shape(256, 256)), Long{258}), Error);
        const auto result = f(from(dominant<double>(256, 256), shape(256, 256)), Long{0});
        CHECK(result.to_vector() == dominant<double>(256, 256));
    }
}
