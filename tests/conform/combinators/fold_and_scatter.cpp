// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds beside a scatter of the same points, in one pass over them.
#include "conform/support.hpp"

#include <array>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

/// Runs of points have 64 points at least, and 2^15 if they update arrays.
const std::vector<std::int64_t> sizes = {0, 1, 7, 33, 64, 65, 1000, 4099, 100003};

auto plus = [](auto x, auto y) { return x + y; };

std::size_t clusters(const auto& expression) {
    return explain(expression, {.target = Target::host(1), .fusion = Fusion::optimal}).clusters().size();
}

/// Compares both results everywhere, and their bits for several numbers of threads.
template <class A, class B>
void both(const A& a, const B& b) {
    const auto results = std::tuple(a, b);
    const auto [x, y] = run(results, {.target = Target::interpreter()});
    for (Fusion fusion : strategies)
        for (Target target : targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            const auto [u, v] = run(results, {.target = target, .fusion = fusion});
            require_same(x.to_vector(), u.to_vector());
            require_same(y.to_vector(), v.to_vector());
        }
}

template <class T>
Delayed<T, 1> line(std::int64_t n, int seed = 1) {
    return from(numbers<T>(n, seed));
}

/// Places in an array of 6 elements, some of them -1.
Delayed<std::int64_t, 1> places(std::int64_t n, int seed = 3) {
    return map([](auto v) { return cast<std::int64_t>(v + 5) % 7 - 1; }, line<std::int32_t>(n, seed));
}

}  // namespace

TEMPLATE_TEST_CASE("bins, and the total of what goes into them", "[fold_and_scatter]", std::int32_t, std::int64_t, float,
                   double) {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto values = map([](auto v) { return v * v - 3; }, line<TestType>(n));
        const auto bins = histogram(6, plus, TestType(0), places(n), values);
        const auto total = sum(values);
        if (n >= 1000) CHECK(clusters(std::tuple(bins, total)) == 2);  // one more writes where bins begin
        both(bins, total);
        both(scatter(plus, line<TestType>(6), places(n), values),
             fold([](auto x, auto y) { return max(x, y); }, std::numeric_limits<TestType>::lowest(), values));
    }
}

TEST_CASE("totals whose operator is not commutative", "[fold_and_scatter]") {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto values = line<std::int32_t>(n);
        const auto pairs = zip(values * 2 + 1, values);
        const auto [a, b] = unzip(fold(composition, std::tuple(1, 0), pairs));
        both(scatter(plus, line<std::int32_t>(6), places(n), values), a * 31 + b);
    }
}

TEST_CASE("bins of pairs, extrema, and totals of pairs", "[fold_and_scatter]") {
    auto sum_and_most = [](auto x, auto y) {
        auto [a, b] = x;
        auto [c, d] = y;
        return std::tuple(a + c, max(b, d));
    };
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto values = zip(line<std::int32_t>(n), line<std::int32_t>(n, 2));
        const std::tuple<std::int32_t, std::int32_t> least(0, std::numeric_limits<std::int32_t>::min());
        const auto [counts, most] = unzip(histogram(6, sum_and_most, least, places(n), values));
        const auto [total, all] = unzip(fold(sum_and_most, least, values));
        both(counts, total);
        both(most, all);
        both(concat(counts, most), total - all);
    }
}

TEST_CASE("what is folded and scattered is also kept", "[fold_and_scatter]") {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto values = map([](auto v) { return v * v + 1.; }, line<double>(n));
        const auto bins = histogram(6, plus, 0., places(n), values);
        both(concat(values, bins), sum(values));
    }
}

TEST_CASE("a gather's value and gradient", "[fold_and_scatter]") {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto x = line<double>(40, 2);
        const auto at = map([](auto v) { return cast<std::int64_t>(v + 5) * 3; }, line<std::int32_t>(n));
        const auto picked = gather(at, x);
        const auto value = sum(map([](auto v) { return v * v; }, picked));
        const auto gradient = scatter(plus, fill(shape(40), 0.), at, map([](auto v) { return 2. * v; }, picked));
        if (n >= 1000) CHECK(clusters(std::tuple(value, gradient)) == 2);  // one more writes where bins begin
        both(value, gradient);
    }
}

TEST_CASE("points of a matrix, and folds along either of its axes", "[fold_and_scatter]") {
    for (auto [rows, columns] : std::vector<std::array<std::int64_t, 2>>{{0, 5}, {3, 0}, {9, 17}, {70, 65}, {1000, 8}}) {
        CAPTURE(rows, columns);
        const Delayed<std::int32_t, 2> a = from(numbers<std::int32_t>(rows * columns), shape(rows, columns));
        const auto bins = permute(plus, fill(shape(4), 0), [](auto i, auto j) { return (i + j) % 4; }, a);
        both(bins, sum(a, axis(0)));
        both(bins, sum(a, axis(1)));
        both(bins, sum(a, axes(0, 1)));
    }
}

TEMPLATE_TEST_CASE("a matrix by rows and by columns, with what rows and columns share", "[fold_and_scatter]", std::int32_t,
                   float, double) {
    using T = TestType;
    const auto larger = [](auto x, auto y) { return max(x, y); };
    for (auto [rows, columns] : std::vector<std::array<std::int64_t, 2>>{
             {0, 5}, {3, 0}, {1, 1}, {9, 17}, {70, 65}, {200, 131}, {640, 33}, {1000, 8}}) {
        CAPTURE(rows, columns);
        const Delayed<T, 2> a = from(numbers<T>(rows * columns), shape(rows, columns));
        const auto of_columns = line<T>(columns), of_rows = line<T>(rows, 2);
        const auto times_columns = sum(a * replicate(rows, of_columns), axis(1));
        const auto times_rows = sum(a * transpose(replicate(columns, of_rows)), axis(0));
        both(times_columns, times_rows);
        both(times_columns + of_rows, times_rows + of_columns);
        both(fold(larger, T(-3), a, axis(1)), times_rows);
        both(times_columns, fold(larger, T(-3), a, axis(0)));
    }
}

TEST_CASE("columns that need what their row has folded", "[fold_and_scatter]") {
    for (auto [rows, columns] : std::vector<std::array<std::int64_t, 2>>{{9, 17}, {200, 131}, {640, 33}}) {
        CAPTURE(rows, columns);
        const Delayed<std::int32_t, 2> a = from(numbers<std::int32_t>(rows * columns), shape(rows, columns));
        const auto of_rows = sum(a, axis(1));
        both(of_rows, sum(a * transpose(replicate(columns, of_rows)), axis(0)));
    }
}

TEST_CASE("rows say where their points go", "[fold_and_scatter]") {
    for (auto [n, k] :
         std::vector<std::array<std::int64_t, 2>>{{0, 5}, {9, 0}, {65, 3}, {1000, 5}, {4099, 70}, {40000, 3}}) {
        CAPTURE(n, k);
        const Delayed<std::int32_t, 2> a = from(numbers<std::int32_t>(n * k), shape(n, k));
        const auto square = map([](auto v) { return v * v; }, a);
        const auto most = fold([](auto x, auto y) { return max(x, y); }, 0, square, axis(1));
        const auto at = map([](auto v) { return cast<std::int64_t>(v) % 6; }, most);
        const auto bins = histogram(6, plus, 1, at, map([](auto v) { return v + 1; }, line<std::int32_t>(n)));
        if (n >= 1000 && k > 0) CHECK(clusters(std::tuple(bins, sum(most))) == 2);  // one more writes where bins begin
        both(bins, sum(most));
        both(bins, most);
        both(bins, sum(square, axis(0)));
    }
}

TEST_CASE("rounding does not depend on threads", "[fold_and_scatter]") {
    const auto values = map([](auto i) { return sin(cast<float>(i)); }, iota(300007));
    const auto at = map([](auto i) { return i * i % 100; }, iota(300007));
    const auto results = std::tuple(histogram(100, plus, 0.f, at, values), sum(values));
    const auto [bins, total] = run(results, {.target = Target::host(1)});
    for (int threads : {2, 3, 4}) {
        CAPTURE(threads);
        const auto [b, t] = run(results, {.target = Target::host(threads)});
        require_same(bins.to_vector(), b.to_vector());
        require_same(total.to_vector(), t.to_vector());
    }
}

TEST_CASE("wrong places are reported", "[fold_and_scatter]") {
    const auto values = line<float>(1000);
    const auto at = map([](auto i) { return i / 100; }, iota(1000));
    const auto bins = scatter(plus, fill(shape(9), 0.f), at, values);
    for (Target target : targets()) {
        CAPTURE(target.number);
        CHECK_THROWS_AS(run(std::tuple(bins, sum(values)), {.target = target}), Error);
    }
}

TEST_CASE("a fold of what a scatter makes, beside maps of the same points", "[fold_and_scatter]") {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        std::vector<double> values;
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < n; ++i) values.push_back(0.5 * static_cast<double>(i % 9)), places.push_back(i * 3 % n);
        const Array<double> x = from(values);
        const auto bins = scatter(plus, fill(shape(n), 0.0), from(places), x);
        const auto squares = map([](auto a) { return a * a; }, x);
        everywhere(sum(map([](auto a, auto b) { return a * b; }, squares, bins)));
    }
}

TEST_CASE("what iterations fold and scatter begins anew", "[fold_and_scatter]") {
    for (std::int64_t n : {64, 1000}) {
        CAPTURE(n);
        const auto values = line<float>(n);
        const auto step = [&](Exp<std::int64_t>, Delayed<float> bins, Exp<float> total) {
            const auto next = map([=](auto v) { return v + min(total, 1.f); }, values);
            return std::tuple(scatter(plus, bins, places(n), next), sum(next)());
        };
        const auto [bins, total] = for_loop(5, step, Delayed<float, 1>(fill(shape(6), 0.f)), 1.f);
        both(bins, total);
        // Sums of so few bits are exact: strategies may add in different orders.
        const auto signs = [](auto i, auto j) { return cast<double>((i * 7 + j * j * 5 + i * j) % 3 - 1); };
        const Delayed<double, 2> a = run(generate(shape(70, 70), signs));
        const auto both_ways = [&](auto, auto x) {
            const auto y = sum(a * broadcast(x, shape(70, 70), axes(1)), axis(1));
            return map([](auto v) { return v * 0x1p-12; }, sum(a * broadcast(y, shape(70, 70), axes(0)), axis(0)));
        };
        const auto x = for_loop(3, both_ways, Delayed<double, 1>(fill(shape(70), 1.)));
        require_same(run(x, {.target = Target::host(1), .fusion = Fusion::none}).to_vector(),
                     run(x, {.target = Target::host(1)}).to_vector());
    }
}
