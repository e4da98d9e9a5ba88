// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All numbers of an array by one: whatever replaces the division rounds as it does, zeros, infinities and subnormals too.
#include "conform/support.hpp"

#include <bit>
#include <limits>
#include <random>

using namespace sinter;
using conform::everywhere;

namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Numbers at which something changes, and their neighbours.
template <class T>
std::vector<T> corners() {
    using L = std::numeric_limits<T>;
    std::vector<T> values{0, L::infinity(), L::quiet_NaN(), L::denorm_min(), L::min(), L::max(), 1, 3, T(1) / 3};
    for (int exponent : {1, 20, 23, 24, 52, 53, 99, 100, 101, 124, 125, 126, 149, 899, 900, 901, 1020, 1022, 1074})
        for (int sign : {-1, 1}) values.push_back(static_cast<T>(std::ldexp(1.0, sign * exponent)));
    for (std::size_t k = 0, n = values.size(); k < n; ++k) {
        values.push_back(std::nextafter(values[k], T(0)));
        values.push_back(std::nextafter(values[k], L::infinity()));
    }
    for (std::size_t k = 0, n = values.size(); k < n; ++k) values.push_back(-values[k]);
    return values;
}

/// Any bits, and numbers near 1.
template <class T>
std::vector<T> random_numbers(std::size_t count, std::mt19937_64& random) {
    std::vector<T> values;
    for (std::size_t k = 0; k < count; ++k) {
        const auto any = std::bit_cast<T>(static_cast<Bits<T>>(random()));
        int exponent = 0;
        const T fraction = std::frexp(any, &exponent);
        values.push_back(k % 2 == 0 ? any : std::ldexp(fraction, static_cast<int>(random() % 40) - 20));
    }
    return values;
}

}  // namespace

TEMPLATE_TEST_CASE("numbers divided by one are rounded as quotients", "[quotients]", float, double) {
    std::mt19937_64 random(17);
    std::vector<TestType> numerators = corners<TestType>(), divisors = corners<TestType>();
    const auto more = random_numbers<TestType>(20000, random), few = random_numbers<TestType>(60, random);
    std::vector<TestType> plain;  // of numbers that a vector need not divide, alone
    for (std::size_t k = 0; k < 4096; ++k) plain.push_back(k % 7 == 0 ? -TestType(0) : TestType(random() % 100000) / 7);
    numerators.insert(numerators.end(), more.begin(), more.end());
    divisors.insert(divisors.end(), few.begin(), few.end());
    const Array<TestType> all = from(numerators), ordinary = from(plain);
    auto by_one = compile([](Array<TestType> x, Array<TestType, 0> y) { return map([=](auto a) { return a / y(); }, x); });
    auto by_each = compile([](Array<TestType> x, Array<TestType> y) { return x / y; });
    for (TestType divisor : divisors) {
        CAPTURE(divisor);
        const Array<TestType, 0> one = from(std::vector<TestType>{divisor}, shape());
        for (const Array<TestType>& x : {all, ordinary}) {
            const Array<TestType> same = run(fill(shape(x.size()), divisor));
            conform::require_same(Array<TestType>(by_each(x, same)).to_vector(),
                                  Array<TestType>(by_one(x, one)).to_vector());
        }
    }
}

TEMPLATE_TEST_CASE("numbers divided by a literal, in rows and in loops", "[quotients]", float, double) {
    std::mt19937_64 random(19);
    for (std::int64_t n : {1, 7, 8, 33, 100, 1000}) {
        CAPTURE(n);
        const Array<TestType> x = from(random_numbers<TestType>(static_cast<std::size_t>(n), random));
        conform::everywhere(map([](auto a) { return a / 3 + a / -7 - a / 8; }, x));
        const Array<TestType, 2> m = from(random_numbers<TestType>(static_cast<std::size_t>(5 * n), random), shape(5, n));
        conform::everywhere(vmap([](auto row) { return row / max(abs(row)); }, m));
        conform::everywhere(vmap([](auto row) { return map([=](auto a) { return a / row(0) + 1; }, row); }, m));
    }
}

TEST_CASE("quotients and remainders of 64 bits: small, large, and both in one vector", "[quotients]") {
    using Long = std::int64_t;
    constexpr Long edge = Long{1} << 50, least = std::numeric_limits<Long>::min(), most = std::numeric_limits<Long>::max();
    const std::vector<Long> special = {0,        1,     -1,        2,        -3,   7,     edge - 1, edge,
                                       edge + 1, -edge, -edge - 1, 2 * edge, most, least, least + 1};
    std::vector<Long> dividends, divisors;
    for (Long a : special)
        for (Long b : special)
            if (b != 0 && !(a == least && b == -1)) dividends.push_back(a), divisors.push_back(b);
    auto all = [](const std::vector<Long>& a, const std::vector<Long>& b) {
        Array<Long> x = from(a), y = from(b);
        everywhere(map([](auto u, auto v) { return u / v; }, x, y));
        everywhere(map([](auto u, auto v) { return u % v; }, x, y));
        everywhere(sum(map([](auto u, auto v) { return select(u > v, u / v, u % v); }, x, y)));
    };
    all(dividends, divisors);
    for (std::size_t n : {1, 3, 8, 33, 1000}) {
        std::vector<Long> a, b;
        for (std::size_t k = 0; k < n; ++k) {
            a.push_back(static_cast<Long>(k * k * 12345) - 70000);
            b.push_back(static_cast<Long>(k % 17) - 20);
        }
        all(a, b);
        for (Long large : {edge, least, most}) {
            a[n / 2] = large, b[n / 3] = large == least ? most : large - 1;
            all(a, b);
        }
        Array<Long> x = from(a);
        for (Long divisor : {Long{3}, Long{-7}, edge + 5, most}) {
            everywhere(map([=](auto u) { return u / divisor + u % divisor; }, x));
            auto by = compile([](Delayed<Long> u, Exp<Long> d) { return map([=](auto v) { return v / d - v % d; }, u); });
            CHECK(by(x, divisor).to_vector() ==
                  everywhere(map([=](auto u) { return u / divisor - u % divisor; }, x)).to_vector());
        }
        CHECK_THROWS_AS(run(map([](auto u) { return 5 / (u * 0); }, x)), DomainError);
    }
}
