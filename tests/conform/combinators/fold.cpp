// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: every axis, operators that are associative but not commutative, fused neighbours.
#include "conform/support.hpp"

#include <sinter/numeric.hpp>

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("sums, minima, maxima of every number type", "[fold]", std::int8_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint32_t, float, double) {
    using T = TestType;
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto hx = numbers<T>(n);
        Array<T> x = from(hx);
        T expected = 0;
        for (T v : hx) expected = static_cast<T>(expected + v);
        REQUIRE(everywhere(sum(x)).item() == expected);
        if (n > 0) {
            everywhere(min(x));
            everywhere(max(x));
            everywhere(argmin(x));
            everywhere(argmax(x));
        }
        everywhere(fold(std::plus<>{}, T(3), x));
    }
}

TEST_CASE("positions of the least and the greatest boolean", "[fold]") {
    auto positions = [](const std::vector<bool>& elements) {
        Array<bool> x = from(elements);
        return std::pair(everywhere(argmin(x)).item(), everywhere(argmax(x)).item());
    };
    CHECK(positions({true, false, true, false}) == std::pair<std::int64_t, std::int64_t>(1, 0));
    CHECK(positions({false, false, true}) == std::pair<std::int64_t, std::int64_t>(0, 2));
    CHECK(positions({true, true}) == std::pair<std::int64_t, std::int64_t>(0, 0));
}

TEST_CASE("folds of large arrays split into chunks", "[fold]") {
    for (std::int64_t n : {65535, 65536, 65537, 1 << 20, (1 << 20) + 3}) {
        CAPTURE(n);
        Array<float> x = from(numbers<float>(n));
        Array<std::int64_t> y = from(numbers<std::int64_t>(n));
        everywhere(sum(y * y));
        everywhere(sum(x));
        everywhere(max(x * 2.f));
    }
}

TEST_CASE("operators that are associative but not commutative", "[fold]") {
    // Composition of affine maps x -> a x + b over integers modulo 2^32.
    auto compose = [](auto f, auto g) {
        auto [a, b] = f;
        auto [c, d] = g;
        return std::tuple(c * a, c * b + d);
    };
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<std::uint32_t> a = from(numbers<std::uint32_t>(n, 3)), b = from(numbers<std::uint32_t>(n, 7));
        auto odd = map([](auto x, auto y) { return std::tuple(x * 2 + 1, y); }, a, b);
        auto total = fold(compose, std::tuple(std::uint32_t(5), std::uint32_t(9)), odd);
        auto [p, q] = unzip(total);
        everywhere(p);
        everywhere(q);
    }
    // The last element, and the first.
    for (auto n : few_sizes) {
        Array<std::int32_t> x = from(numbers<std::int32_t>(n));
        everywhere(fold([](auto, auto r) { return r; }, 42, x));
        everywhere(fold([](auto l, auto) { return l; }, 42, x));
    }
}

TEST_CASE("folds along any axes", "[fold]") {
    for (std::int64_t rows : {0, 1, 3, 17, 300}) {
        for (std::int64_t columns : {0, 1, 5, 33, 130}) {
            CAPTURE(rows, columns);
            Array<float, 2> a = from(numbers<float>(rows * columns), shape(rows, columns));
            everywhere(sum(a));
            everywhere(sum(a, axis(0)));
            everywhere(sum(a, axis(1)));
            everywhere(fold_all(std::plus<>{}, 1.f, a));
            everywhere(fold([](auto, auto r) { return r; }, 7.f, a, axis(0)));
            everywhere(fold([](auto, auto r) { return r; }, 7.f, a));
            everywhere(sum(transpose(a)));
        }
    }
    Array<std::int32_t, 3> c = from(numbers<std::int32_t>(4 * 5 * 6), shape(4, 5, 6));
    for (int k : {0, 1, 2}) everywhere(sum(c, axis(k)));
    everywhere(sum(c, axes(0, 2)));
    everywhere(sum(c, axes(0, 1)));
    everywhere(sum(c, axes(1, 2)));
    everywhere(fold([](auto, auto r) { return r; }, 7, c, axes(0, 2)));
    everywhere(sum(c, axes(0, 1, 2)));
}

TEST_CASE("folds with what stands before and after them", "[fold]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<float> x = from(numbers<float>(n)), y = from(numbers<float>(n, 9));
        everywhere(sum(x * y));
        everywhere(sqrt(sum(x * x)));
        auto s = sum(x);
        everywhere(map([&](auto v) { return v + s(); }, y));
        if (n == 0) {
            REQUIRE_THROWS_AS(max(x + y), ShapeError);
            continue;
        }
        auto [a, b, c] = run(x + y, sum(x + y), max(x + y));
        require_same(run(x + y, {.target = Target::interpreter()}).to_vector(), a.to_vector());
        REQUIRE(b.item() == run(sum(x + y), {.target = Target::interpreter()}).item());
        REQUIRE(c.item() == run(max(x + y), {.target = Target::interpreter()}).item());
    }
}

TEST_CASE("logical reductions, counts and means", "[fold]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<float> x = from(numbers<float>(n));
        everywhere(any(x > 4.f));
        everywhere(all(x > -6.f));
        everywhere(count(x > 0.f));
        if (n > 0) everywhere(mean(x));
    }
}

TEST_CASE("a sum of booleans counts the true ones", "[fold]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<std::int32_t> x = from(numbers<std::int32_t>(n));
        Delayed<std::int64_t, 0> total = sum(x > 0);
        everywhere(total);
        Delayed<std::int64_t> so_far = cumsum(x > 0);
        everywhere(so_far);
        REQUIRE(run(total).item() == run(count(x > 0)).item());
        auto rows = reshape(concat(x, x, x), shape(3, n)) > 0;
        require_same(run(count(rows, axis(0))).to_vector(), everywhere(sum(rows, axis(0))).to_vector());
        REQUIRE(run(sum(rows, axes(0, 1))).item() == 3 * run(total).item());
    }
    REQUIRE(run(sum(fill(shape(1000), true))).item() == 1000);
}

TEST_CASE("same bits for any number of threads", "[fold]") {
    std::vector<float> hx(300001);
    for (std::size_t i = 0; i < hx.size(); ++i) hx[i] = 1.f / static_cast<float>(i + 1);
    Array<float> x = from(hx);
    float one = run(sum(x), {.target = Target::host(1)}).item();
    for (int threads : {2, 3, 8}) REQUIRE(run(sum(x), {.target = Target::host(threads)}).item() == one);
    hx.resize(300000);
    for (auto [rows, columns] : {std::pair(3, 100000), std::pair(100000, 3), std::pair(300, 1000)}) {
        Array<float, 2> m = from(hx, shape(rows, columns));
        for (int k : {0, 1}) {
            auto single = run(sum(m, axis(k)), {.target = Target::host(1)}).to_vector();
            for (int threads : {2, 3, 8})
                require_same(single, run(sum(m, axis(k)), {.target = Target::host(threads)}).to_vector());
        }
    }
}
