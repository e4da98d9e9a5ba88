// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options::contract: products that are added need not be rounded first. Which ones are rounded is fixed: it depends neither
// on threads nor on the position of a value in its vector or tile.
#include "conform/support.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

constexpr Options contract{.contract = true};

/// A number whose square cannot be represented in the type.
template <class T>
T inexact(std::int64_t k) {
    return 1 + std::numeric_limits<T>::epsilon() * static_cast<T>(1 + k % 63);
}

/// What is lost by rounding its square.
template <class T>
T lost(T v) {
    const T square = v * v;
    return std::fma(v, v, -square);
}

template <class T>
Array<T> inexact_numbers(std::int64_t n) {
    std::vector<T> values;
    for (std::int64_t k = 0; k < n; ++k) values.push_back(inexact<T>(k));
    return from(values);
}

template <class T>
std::vector<T> random_numbers(std::int64_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(static_cast<std::size_t>(n));
    for (T& v : values) v = static_cast<T>(random()) / static_cast<T>(1u << 31) - 1;
    return values;
}

/// The same bits on one thread and on two, and close to what strict rounding gives.
template <class A>
void require_steady(const A& expression, double bound) {
    const auto strict = run(expression).to_vector();
    const auto one = run(expression, {.target = Target::host(1), .contract = true}).to_vector();
    const auto two = run(expression, {.target = Target::host(2), .contract = true}).to_vector();
    require_same(one, two);
    for (std::size_t k = 0; k < one.size(); ++k) REQUIRE(std::abs(double(one[k]) - double(strict[k])) <= bound);
}

}  // namespace

TEMPLATE_TEST_CASE("sums of products are rounded once", "[contract]", float, double) {
    for (std::int64_t n : edge_sizes) {
        CAPTURE(n);
        const auto x = inexact_numbers<TestType>(n), squares = run(x * x);
        auto difference = map([](auto v, auto s) { return v * v - s; }, x, squares);
        auto opposite = map([](auto v, auto s) { return s - v * v; }, x, squares);
        auto total = map([](auto v, auto s) { return s + v * v; }, x, squares);
        auto product_of_map = x * x - squares;
        for (TestType v : run(difference).to_vector()) REQUIRE(v == 0);
        const auto [d, o, t, p] = run(std::tuple(difference, opposite, total, product_of_map), contract);
        for (std::int64_t k = 0; k < n; ++k) {
            const TestType v = inexact<TestType>(k), square = v * v;
            REQUIRE(d(k) == lost(v));
            REQUIRE(o(k) == -lost(v));
            REQUIRE(t(k) == std::fma(v, v, square));
            REQUIRE(p(k) == lost(v));
        }
    }
}

TEMPLATE_TEST_CASE("a product and its uses that are no sums", "[contract]", float, double) {
    const auto x = inexact_numbers<TestType>(100);
    auto used =
        map([](auto v) { return std::tuple(v * v, v * v - v * v * TestType(1), max(v * v, TestType(1)), sqrt(v * v)); }, x);
    const auto [square, zero, largest, root] = run(unzip(used), contract);
    for (std::int64_t k = 0; k < 100; ++k) {
        const TestType v = inexact<TestType>(k), s = v * v;
        REQUIRE(square(k) == s);
        REQUIRE(std::abs(zero(k)) <= std::abs(lost(v)));
        REQUIRE(largest(k) == s);
        REQUIRE(root(k) == std::sqrt(s));
    }
}

TEMPLATE_TEST_CASE("math functions keep their roundings", "[contract]", float, double) {
    const auto x = from(random_numbers<TestType>(10000, 5));
    auto all = [](Array<TestType> a) {
        return std::tuple(exp(a), log(abs(a)), sin(a), cos(a), pow(abs(a), a), erf(a), log1p(a), expm1(a), tanh(a),
                          atan2(a, a + 1), cbrt(a), asin(a));
    };
    const auto strict = run(all(x)), contracted = run(all(x), contract);
    std::apply(
        [&](const auto&... s) {
            std::apply([&](const auto&... c) { (require_same(s.to_vector(), c.to_vector()), ...); }, contracted);
        },
        strict);
}

TEMPLATE_TEST_CASE("every element of a matrix product is rounded once a step", "[contract]", float, double) {
    const TestType v = inexact<TestType>(4), square = v * v;
    for (auto [m, k, n] : {std::tuple(1, 2, 1), std::tuple(6, 2, 16), std::tuple(7, 5, 17), std::tuple(13, 2, 70),
                           std::tuple(97, 20, 40), std::tuple(9, 530, 35), std::tuple(40, 3, 523)}) {
        CAPTURE(m, k, n);
        auto x = run(
            generate(shape(m, k), [=](auto, auto e) { return select(e == 0, -square, select(e == 1, v, TestType(0))); }));
        auto y = run(generate(shape(k, n),
                              [=](auto e, auto) { return select(e == 0, TestType(1), select(e == 1, v, TestType(3))); }));
        auto product = vmap([=](auto row) { return vmap([=](auto column) { return sum(row * column); }, transpose(y)); }, x);
        for (TestType element : run(product).to_vector()) REQUIRE(element == 0);
        if (m * n < 16) continue;  // the elements' sums are in lanes of their own
        for (TestType element : run(product, contract).to_vector()) REQUIRE(element == lost(v));
    }
}

TEMPLATE_TEST_CASE("contracted sums do not depend on threads", "[contract]", float, double) {
    const double unit = std::numeric_limits<TestType>::epsilon();
    for (std::int64_t n : {1, 7, 64, 1000, 100003, 1 << 20}) {
        CAPTURE(n);
        const auto x = from(random_numbers<TestType>(n, 1)), y = from(random_numbers<TestType>(n, 2));
        require_steady(sum(x * y), unit * double(n));
        require_steady(inclusive_scan([](auto a, auto b) { return a + b; }, x * y), unit * double(n));
        require_steady(map([](auto a, auto b) { return a * b + a * a - b * (a * b + 1); }, x, y), 16 * unit);
        require_steady(fold([](auto a, auto b) { return a * b; }, TestType(1), x * TestType(0.1) + 1), 1e-2);
    }
    for (auto [m, k, n] :
         {std::tuple(5, 7, 3), std::tuple(97, 200, 131), std::tuple(256, 256, 256), std::tuple(3, 5000, 2)}) {
        CAPTURE(m, k, n);
        const Array<TestType, 2> a = from(random_numbers<TestType>(m * k, 3), shape(m, k)),
                                 b = from(random_numbers<TestType>(k * n, 4), shape(k, n));
        require_steady(vmap([=](auto row) { return vmap([=](auto c) { return sum(row * c); }, transpose(b)); }, a),
                       4 * unit * k);
        require_steady(sum(a * a), 4 * unit * k);
        require_steady(sum(transpose(a * a)), 4 * unit * m);
    }
}
