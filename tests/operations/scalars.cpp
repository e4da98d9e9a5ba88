// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars: products and literals, arithmetic, bits, conversion.
#include "operations/support.hpp"

#include <limits>

namespace operations {

struct Particle {
    float x, mass;
};

}  // namespace operations

BOOST_HANA_ADAPT_STRUCT(operations::Particle, x, mass);

using namespace operations;

namespace {

constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();

}  // namespace

OPERATION("Scalars: products and literals", "tuples and their parts") {
    using Pairs = std::vector<std::tuple<int, float>>;
    auto swapped = [](auto p) {
        auto [x, y] = p;
        return std::tuple(y, x);
    };
    gives(map(swapped, zip(from({0.5f, 1.5f}), from({1, 2}))), Pairs{{1, 0.5f}, {2, 1.5f}});
    using S = Particle;
    auto doubled = [](Exp<S> p) { return record<S>(field<&S::x>(p) * 2, field<&S::mass>(p)); };
    auto particles = map(doubled, from(std::vector<S>{{1, 2}, {3, 4}}));
    gives(field<&S::x>(particles), {2, 6});
    gives(field<&S::mass>(particles), {2, 4});
}

OPERATION("Scalars: products and literals", "lifting and unlifting") {
    gives(map([](auto x) { return std::tuple(x + 1, 2.5); }, from({1})), std::vector<std::tuple<int, double>>{{2, 2.5}});
}

OPERATION("Scalars: products and literals", "SIMD vectors") {
    using V = std::array<float, 2>;
    auto a = from(std::vector<V>{{1, 2}, {3, 4}});
    gives(map([](auto v) { return get<0>(v) * get<1>(v); }, a), {2, 12});
    gives(map([](auto v) { return std::array{get<1>(v), get<0>(v)}; }, a), std::vector<V>{{2, 1}, {4, 3}});
}

OPERATION("Scalars: products and literals", "sums") {
    // either an int (tag 0) or a float (tag 1)
    auto a = from(std::vector<std::tuple<int, int, float>>{{0, 7, 0.f}, {1, 0, 2.5f}});
    gives(map([](auto tag, auto i, auto x) { return select(tag == 0, cast<float>(i), x); }, a), {7, 2.5f});
}

OPERATION("Scalars: arithmetic", "addition, subtraction, multiplication, negation") {
    Array<int> a = from({1, highest, -7}), b = from({2, 1, 3});
    gives(map([](auto x, auto y) { return x + y; }, a, b), {3, lowest, -4});
    gives(map([](auto x, auto y) { return x - y; }, a, b), {-1, highest - 1, -10});
    gives(map([](auto x, auto y) { return x * y; }, a, b), {2, highest, -21});
    gives(map([](auto x) { return -x; }, from({1, lowest})), {-1, lowest});
    gives(a + b, {3, lowest, -4});
}

OPERATION("Scalars: arithmetic", "literals") {
    gives(map([](auto x) { return x * 2 + 0.25; }, from({1.0, 2.0})), {2.25, 4.25});
    gives(map([](auto x) { return x + 1; }, from(std::vector<std::int8_t>{127})), {-128});
}

OPERATION("Scalars: arithmetic", "division of floats") {
    gives(map([](auto x, auto y) { return x / y; }, from({1.0, 1.0}), from({4.0, 0.0})), {0.25, HUGE_VAL});
    gives(map([](auto x) { return 1 / x; }, from({4.0})), {0.25});
}

OPERATION("Scalars: arithmetic", "integer division towards zero") {
    Array<int> a = from({7, -7, 7, -7, lowest}), b = from({2, 2, -2, -2, -1});
    gives(map([](auto x, auto y) { return x / y; }, a, b), {3, -3, -3, 3, lowest});
    gives(map([](auto x, auto y) { return x % y; }, a, b), {1, -1, 1, -1, 0});
    CHECK_THROWS_AS(run(a / 0), DomainError);
}

OPERATION("Scalars: arithmetic", "integer division downwards") {
    using T = int;
    auto q = [](auto x, auto y) { return x / y - cast<T>((x % y != 0) && ((x < 0) != (y < 0))); };
    Array<T> a = from({7, -7, 7, -7, 6, -6}), b = from({2, 2, -2, -2, -3, 3});
    gives(map(q, a, b), {3, -4, -4, 3, -2, -2});
    gives(map([=](auto x, auto y) { return x - y * q(x, y); }, a, b), {1, 1, -1, -1, 0, 0});
}

OPERATION("Scalars: arithmetic", "floor division of floats") {
    Array<double> a = from({7.5, -7.5}), b = from({2.0, 2.0});
    gives(map([](auto x, auto y) { return floor(x / y); }, a, b), {3, -4});
    gives(map([](auto x, auto y) { return x - y * floor(x / y); }, a, b), {1.5, 0.5});
}

OPERATION("Scalars: arithmetic", "absolute value, sign") {
    gives(map([](auto x) { return abs(x); }, from({-3, 0, 3, lowest})), {3, 0, 3, lowest});
    gives(map([](auto x) { return sign(x); }, from({-3, 0, 3})), {-1, 0, 1});
    gives(abs(from({-2.5})), {2.5});
    gives(sign(from({-2.5, 0.0})), {-1, 0});
}

OPERATION("Scalars: arithmetic", "least and greatest of two") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    gives(map([](auto x, auto y) { return min(x, y); }, from({1, 5}), from({2, 4})), {1, 4});
    gives(map([](auto x, auto y) { return max(x, y); }, from({1, 5}), from({2, 4})), {2, 5});
    nearly_gives(min(from({1.0, nan}), from({nan, 2.0})), {nan, nan});
    gives(fmin(from({1.0, nan}), from({nan, 2.0})), {1, 2});
    gives(fmax(from({1.0, nan}), from({nan, 2.0})), {1, 2});
}

OPERATION("Scalars: arithmetic", "comparison") {
    Array<int> a = from({1, 2, 3}), b = from({2, 2, 2});
    gives(map([](auto x, auto y) { return x == y; }, a, b), {false, true, false});
    gives(map([](auto x, auto y) { return x != y; }, a, b), {true, false, true});
    gives(map([](auto x, auto y) { return x < y; }, a, b), {true, false, false});
    gives(map([](auto x, auto y) { return x <= y; }, a, b), {true, true, false});
    gives(map([](auto x, auto y) { return x > y; }, a, b), {false, false, true});
    gives(a >= b, {false, true, true});
}

OPERATION("Scalars: arithmetic", "three-way comparison") {
    auto compare = [](auto x, auto y) { return cast<int>(x > y) - cast<int>(x < y); };
    gives(map(compare, from({1.0, 2.0, 3.0}), from({2.0, 2.0, 2.0})), {-1, 0, 1});
}

OPERATION("Scalars: arithmetic", "successor, predecessor") {
    gives(map([](auto x) { return x + 1; }, from({1, highest})), {2, lowest});
    gives(map([](auto x) { return x - 1; }, from({1})), {0});
}

OPERATION("Scalars: arithmetic", "limits of a type") {
    gives(map([](auto x) { return min(x, std::numeric_limits<int>::max()); }, from({1, highest})), {1, highest});
}

OPERATION("Scalars: arithmetic", "logic") {
    Array<bool> a = from({false, true, false, true}), b = from({false, false, true, true});
    gives(map([](auto x, auto y) { return x && y; }, a, b), {false, false, false, true});
    gives(map([](auto x, auto y) { return x || y; }, a, b), {false, true, true, true});
    gives(map([](auto x) { return !x; }, a), {true, false, true, false});
}

OPERATION("Scalars: arithmetic", "parity") {
    gives(map([](auto x) { return x % 2 == 0; }, from({-3, -2, 0, 3})), {false, true, true, false});
    gives(map([](auto x) { return x % 2 != 0; }, from({-3, -2, 0, 3})), {true, false, false, true});
}

OPERATION("Scalars: arithmetic", "greatest common divisor, least common multiple") {
    auto gcd = [](auto a, auto b) {
        auto [divisor, zero] =
            while_loop([](auto, auto y) { return y != 0; }, [](auto x, auto y) { return std::tuple(y, x % y); }, a, b);
        return divisor + zero;
    };
    Array<int> a = from({12, 7, 0}), b = from({18, 5, 4});
    gives(map(gcd, a, b), {6, 1, 4});
    gives(map([=](auto x, auto y) { return x / gcd(x, y) * y; }, a, b), {36, 35, 0});
}

OPERATION("Scalars: arithmetic", "integer power") {
    const std::int64_t n = 4;
    auto power = [=](auto x) {
        Exp<int> one = 1;
        return for_loop(n, [=](auto, auto p) { return p * x; }, one);
    };
    gives(map(power, from({2, -3, 0})), {16, 81, 0});
}

OPERATION("Scalars: bits", "and, or, exclusive or, complement") {
    Array<int> a = from({12, -1}), b = from({10, 6});
    gives(map([](auto x, auto y) { return x & y; }, a, b), {8, 6});
    gives(map([](auto x, auto y) { return x | y; }, a, b), {14, -1});
    gives(map([](auto x, auto y) { return x ^ y; }, a, b), {6, -7});
    gives(map([](auto x) { return ~x; }, a), {-13, 0});
}

OPERATION("Scalars: bits", "shifts") {
    Array<int> a = from({5, -8, 1}), n = from({1, 2, 33});
    gives(map([](auto x, auto k) { return x << k; }, a, n), {10, -32, 2});
    gives(map([](auto x, auto k) { return x >> k; }, a, n), {2, -2, 0});
}

OPERATION("Scalars: bits", "logical right shift") {
    using T = std::int32_t;
    const int n = 28;
    gives(map([=](auto x) { return cast<T>(cast<std::make_unsigned_t<T>>(x) >> n); }, from({-1, 1 << 28})), {15, 1});
}

OPERATION("Scalars: bits", "counts of bits") {
    Array<int> a = from({0, 1, 12, -1});
    gives(map([](auto x) { return popcount(x); }, a), {0, 1, 2, 32});
    gives(map([](auto x) { return clz(x); }, a), {32, 31, 28, 0});
    gives(map([](auto x) { return ctz(x); }, a), {32, 0, 2, 0});
}

OPERATION("Scalars: bits", "one bit") {
    Array<int> a = from({10, 10}), i = from({1, 2});
    gives(map([](auto x, auto k) { return x >> k & 1; }, a, i), {1, 0});
    gives(map([](auto x, auto k) { return (x & ~(1 << k)) | (0 << k); }, a, i), {8, 10});
    gives(map([](auto x, auto k) { return (x & ~(1 << k)) | (1 << k); }, a, i), {10, 14});
}

OPERATION("Scalars: bits", "width of a type") {
    using T = std::int16_t;
    gives(map([](auto x) { return x + static_cast<T>(8 * sizeof(T)); }, from(std::vector<T>{1})), {17});
}

OPERATION("Scalars: bits", "high half of a product") {
    auto high = [](auto x, auto y) { return cast<std::int32_t>(cast<std::int64_t>(x) * y >> 32); };
    gives(map(high, from({highest, -1, 3}), from({highest, 1, 5})), {0x3fffffff, -1, 0});
}

OPERATION("Scalars: conversion", "between numbers") {
    gives(map([](auto x) { return cast<int>(x); }, from({2.9, -2.9, 1e30, HUGE_VAL * 0})), {2, -2, highest, 0});
    gives(cast<std::int8_t>(from({200, -1})), {-56, -1});
    gives(cast<float>(from({1, 16777217})), {1, 16777216});
    gives(cast<bool>(from({0, 2})), {false, true});
    gives(cast<std::uint32_t>(from({-1})), {0xffffffffu});
}

OPERATION("Scalars: conversion", "same bits") {
    gives(map([](auto x) { return bit_cast<std::uint32_t>(x); }, from({1.f, -0.f})), {0x3f800000u, 0x80000000u});
    gives(bit_cast<float>(from({0x3f800000})), {1.f});
}
