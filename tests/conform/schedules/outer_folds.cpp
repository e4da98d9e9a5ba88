// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds along rows and along columns of one matrix, in one pass over it.
#include "conform/support.hpp"

#include <array>
#include <tuple>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

/// Of both sides: kernels of their own, and one pass from 64 rows and columns on.
const std::vector<std::int64_t> sides = {0, 1, 7, 8, 9, 17, 64, 65, 71, 129, 1000};

template <class T>
Array<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
    return run(from(numbers<T>(rows * columns), shape(rows, columns)));
}

template <class T>
Delayed<T, 1> vector(std::int64_t n, int seed) {
    return from(numbers<T>(n, seed));
}

std::size_t clusters(const auto& expression) {
    return explain(expression, {.target = Target::host(1), .fusion = Fusion::optimal}).clusters().size();
}

auto like(const auto& matrix) { return shape(matrix.shape()[0], matrix.shape()[1]); }

template <class Test>
void each_shape(Test test) {
    for (std::int64_t rows : sides)
        for (std::int64_t columns : sides) {
            if (rows * columns > 20000) continue;  // the interpreter takes long
            CAPTURE(rows, columns);
            test(rows, columns);
        }
}

template <class T>
Delayed<T, 1> row_sums(const Array<T, 2>& a, const Delayed<T, 1>& x) {
    return sum(a * broadcast(x, like(a), axes(1)), axis(1));
}

template <class T>
Delayed<T, 1> column_sums(const Array<T, 2>& a, const Delayed<T, 1>& factors) {
    return sum(a * broadcast(factors, like(a), axes(0)), axis(0));
}

}  // namespace

TEMPLATE_TEST_CASE("a matrix, then its transpose, times a vector", "[outer_folds]", std::int32_t, float, double) {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<TestType>(rows, columns);
        const auto x = vector<TestType>(columns, 2);
        const auto y = column_sums<TestType>(a, row_sums<TestType>(a, x));
        if (rows == 129 && columns == 71) CHECK(clusters(y) == 1);
        everywhere(y);
    });
}

TEMPLATE_TEST_CASE("a matrix and its transpose, each times a vector", "[outer_folds]", std::int32_t, float, double) {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<TestType>(rows, columns);
        const auto s = column_sums<TestType>(a, vector<TestType>(rows, 3));
        const auto q = row_sums<TestType>(a, vector<TestType>(columns, 4));
        if (rows == 129 && columns == 71) CHECK(clusters(std::tuple(s, q)) == 1);
        everywhere(concat(s, q));
    });
}

TEMPLATE_TEST_CASE("columns as rows of a transposition", "[outer_folds]", std::int32_t, float, double) {
    const auto times = [](const auto& rows, const auto& v) {
        return vmap([=](Delayed<TestType> row) { return sum(row * v); }, rows);
    };
    each_shape([&](std::int64_t rows, std::int64_t columns) {
        const Delayed<TestType, 2> a = matrix<TestType>(rows, columns);
        const auto x = vector<TestType>(columns, 2), z = vector<TestType>(rows, 3);
        const auto y = times(transpose(a), times(a, x));
        const auto s = times(transpose(a), z), q = times(a, x);
        if (rows == 129 && columns == 71) {
            CHECK(clusters(y) == 1);
            CHECK(clusters(std::tuple(s, q)) == 1);
        }
        everywhere(y);
        everywhere(concat(s, q));
    });
}

TEST_CASE("columns beside rows whose operator is not commutative", "[outer_folds]") {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<std::int32_t>(rows, columns);
        const auto pairs = zip(a, map([](auto x) { return x * 3 + 1; }, a));
        const auto composed = fold(conform::composition, std::tuple(1, 0), pairs, axis(1));
        const auto [first, second] = unzip(composed);
        const auto y = column_sums<std::int32_t>(a, first + second);
        everywhere(y);
        everywhere(concat(second, y));
    });
}

TEST_CASE("columns whose operator is not commutative", "[outer_folds]") {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<std::int32_t>(rows, columns);
        const auto sums = sum(a, axis(1));
        const auto pairs = zip(a + broadcast(sums, like(a), axes(0)), a * 2 + 1);
        const auto [first, second] = unzip(fold(conform::composition, std::tuple(1, 0), pairs, axis(0)));
        everywhere(first + second);
    });
}

TEST_CASE("extrema and several folds of columns", "[outer_folds]") {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<double>(rows, columns);
        const auto means = sum(a, axis(1));
        const auto centred = a - broadcast(means, like(a), axes(0));
        const auto least = fold([](auto x, auto y) { return min(x, y); }, 1e30, centred, axis(0));
        const auto both = fold(
            [](auto x, auto y) {
                auto [a0, a1] = x;
                auto [b0, b1] = y;
                return std::tuple(a0 + b0, max(a1, b1));
            },
            std::tuple(0., -1e30), zip(centred, a), axis(0));
        const auto [total, most] = unzip(both);
        everywhere(concat(concat(least, total), concat(most, means)));
    });
}

TEST_CASE("what is made of columns is not part of the pass", "[outer_folds]") {
    const auto a = matrix<double>(1000, 300);
    const auto x = vector<double>(300, 5);
    const auto y = column_sums<double>(a, row_sums<double>(a, x));
    CHECK(clusters(x + 2. * y) == 2);
    everywhere(x + 2. * y);
    everywhere(row_sums<double>(a, x + y));
}

TEST_CASE("a fold of what rows leave", "[outer_folds]") {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<double>(rows, columns);
        const auto least =
            fold([](auto x, auto y) { return min(x, y); }, 1e6, map([](auto v) { return v * v + 1.; }, a), axis(1));
        if (rows == 129 && columns == 71) CHECK(clusters(sum(least)) == 1);
        everywhere(sum(least));
    });
}

TEST_CASE("columns of many matrices", "[outer_folds]") {
    for (auto [n, rows, columns] : std::vector<std::array<std::int64_t, 3>>{{0, 3, 4}, {2, 7, 9}, {5, 0, 3}, {70, 60, 65}}) {
        CAPTURE(n, rows, columns);
        const Delayed<float, 3> a = from(numbers<float>(n * rows * columns), shape(n, rows, columns));
        const auto sums = sum(a, axis(2));
        const auto weighted = a * broadcast(sums, shape(n, rows, columns), axes(0, 1));
        everywhere(sum(weighted, axis(1)));
        everywhere(sum(weighted, axis(0)));
        everywhere(sum(weighted, axes(0, 1)));
    }
}

TEST_CASE("a costly row is kept for its columns", "[outer_folds]") {
    each_shape([](std::int64_t rows, std::int64_t columns) {
        const auto a = matrix<std::int32_t>(rows, columns);
        const auto costly = map([](auto x) { return (x * 7 + 3) / (abs(x) + 1) * (x % 5 + 6) - (x * x + 1) / 3; }, a);
        const auto sums = sum(costly, axis(1));
        const auto again = costly * broadcast(sums, like(a), axes(0));
        everywhere(sum(again, axis(0)));
        everywhere(concat(sum(again, axis(0)), sum(again, axis(1))));
    });
}

namespace {

/// Both results on every target, whose bits have to agree.
template <class A, class B>
void both_everywhere(const A& first, const B& second) {
    const auto [a, b] = run(std::tuple(first, second), {.target = Target::interpreter()});
    for (Fusion fusion : conform::strategies)
        for (Target target : conform::targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            const auto [x, y] = run(std::tuple(first, second), {.target = target, .fusion = fusion});
            conform::require_same(a.to_vector(), x.to_vector());
            conform::require_same(b.to_vector(), y.to_vector());
        }
}

}  // namespace

// Rows of a vector or more go in lanes that are rows; those that fill no vector overlap with the ones before, and must not
// be folded twice. From 64 groups on, they are divided among threads, and each has elements of its own.
TEMPLATE_TEST_CASE("folds of short rows are folded again, by group and across groups", "[outer_folds]", std::int8_t,
                   std::int32_t, float, double) {
    for (std::int64_t groups : {1, 3, 64, 65, 300})
        for (std::int64_t rows : {1, 7, 8, 9, 15, 16, 17, 25, 33})
            for (std::int64_t d : {5, 10}) {
                if (groups * rows * d > 80000 || (d == 5 && rows > 16)) continue;
                CAPTURE(groups, rows, d);
                const Array<TestType, 3> a = from(numbers<TestType>(groups * rows * d), shape(groups, rows, d));
                const Delayed<TestType, 1> w = from(numbers<TestType>(rows, 5));
                const auto whole = shape(groups, rows);
                const Delayed<TestType, 2> t = broadcast(w, whole, axes(1)) - sum(a * a, axis(2));
                both_everywhere(t, max(t, axis(1)));
                both_everywhere(t, sum(t, axis(1)));
                both_everywhere(sum(t, axis(1)), min(t, axis(0)));
                both_everywhere(t, sum(t, axis(0)));
                both_everywhere(sum(t, axes(0, 1)), max(t, axis(1)));
            }
}
