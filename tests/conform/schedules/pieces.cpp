// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays put together from pieces along the axis that has lanes: what is read depends on comparisons of the index.
#include "conform/support.hpp"

#include <limits>

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("pieces of two and three arrays", "[pieces]", bool, std::int8_t, std::uint16_t, std::int32_t,
                   std::int64_t, half, float, double) {
    for (std::int64_t n : {0, 1, 7, 33, 64, 257})
        for (std::int64_t m : {0, 1, 15, 16, 17, 130}) {
            CAPTURE(n, m);
            const Array<TestType> x = from(numbers<TestType>(n)), y = from(numbers<TestType>(m, 3));
            auto expected = x.to_vector(), other = y.to_vector();
            expected.insert(expected.end(), other.begin(), other.end());
            require_same(expected, everywhere(concat(x, y)).to_vector());
            expected.insert(expected.end(), other.begin(), other.end());
            require_same(expected, everywhere(concat(x, y, y)).to_vector());
        }
    for (std::int64_t n : {1, 5, 16, 17, 100})
        for (std::int64_t k : {-3, 0, 1, 9, 16, 50}) {
            CAPTURE(n, k);
            const Array<TestType, 2> x = from(numbers<TestType>(3 * n), shape(3, n));
            const auto result = everywhere(rotate(x, k, 1));
            for (std::int64_t i = 0; i < 3; ++i)
                for (std::int64_t j = 0; j < n; ++j) REQUIRE(result(i, j) == x(i, ((j + k) % n + n) % n));
            everywhere(concat(x, rotate(x, k, 1), 1));
        }
}

TEST_CASE("every comparison of the index, on either side", "[pieces]") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    const auto program = compile([](Delayed<float> a, Delayed<float> b, Exp<std::int64_t> bound) {
        auto choose = [&](auto test) {
            return map_indexed(
                [=](Exp<std::int64_t> i, Exp<float>) { return cond(test(i), [=] { return a(i); }, [=] { return b(i); }); },
                a);
        };
        return std::tuple(
            choose([=](Exp<std::int64_t> i) { return i < bound; }), choose([=](Exp<std::int64_t> i) { return i <= bound; }),
            choose([=](Exp<std::int64_t> i) { return i > bound; }), choose([=](Exp<std::int64_t> i) { return i >= bound; }),
            choose([=](Exp<std::int64_t> i) { return i == bound; }), choose([=](Exp<std::int64_t> i) { return i != bound; }),
            choose([=](Exp<std::int64_t> i) { return bound < i; }), choose([=](Exp<std::int64_t> i) { return bound <= i; }),
            choose([=](Exp<std::int64_t> i) { return bound - 3 > i; }),
            choose([=](Exp<std::int64_t> i) { return bound >= 5 - i; }),
            choose([=](Exp<std::int64_t> i) { return (i > bound - 9 && i + 1 < bound) || i == 3; }),
            choose([=](Exp<std::int64_t> i) { return i < bound && !(2 * i < bound); }));
    });
    for (std::int64_t n : edge_sizes) {
        const auto hx = numbers<float>(n), hy = numbers<float>(n, 5);
        const Array<float> x = from(hx), y = from(hy);
        for (std::int64_t bound : {least, least + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, n / 3, n - 1, n,
                                   n + 1, most - 1, most}) {
            CAPTURE(n, bound);
            const auto results = program(x, y, bound);
            auto check = [&](const Array<float>& result, auto test) {
                for (std::int64_t i = 0; i < n; ++i) REQUIRE(result(i) == (test(i) ? hx : hy)[static_cast<std::size_t>(i)]);
            };
            auto less_by = [](std::int64_t a, std::int64_t b) {
                return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
            };
            check(std::get<0>(results), [=](auto i) { return i < bound; });
            check(std::get<1>(results), [=](auto i) { return i <= bound; });
            check(std::get<2>(results), [=](auto i) { return i > bound; });
            check(std::get<3>(results), [=](auto i) { return i >= bound; });
            check(std::get<4>(results), [=](auto i) { return i == bound; });
            check(std::get<5>(results), [=](auto i) { return i != bound; });
            check(std::get<6>(results), [=](auto i) { return bound < i; });
            check(std::get<7>(results), [=](auto i) { return bound <= i; });
            check(std::get<8>(results), [=](auto i) { return less_by(bound, 3) > i; });
            check(std::get<9>(results), [=](auto i) { return bound >= 5 - i; });
            check(std::get<10>(results), [=](auto i) { return (i > less_by(bound, 9) && i + 1 < bound) || i == 3; });
            check(std::get<11>(results), [=](auto i) { return i < bound && !(2 * i < bound); });
        }
    }
}

TEST_CASE("a piece that is not chosen is not read", "[pieces]") {
    for (std::int64_t n : {1, 16, 100, 1000}) {
        CAPTURE(n);
        const auto head = from(numbers<float>(n)), tail = from(numbers<float>(n, 2));
        auto joined = generate(shape(3, 2 * n), [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
            return cond(j < n, [=] { return head(j) * cast<float>(i); }, [=] { return tail(j - n) + cast<float>(i); });
        });
        const auto result = everywhere(joined);
        for (std::int64_t j = 0; j < n; ++j) {
            REQUIRE(result(2, j) == head(j) * 2);
            REQUIRE(result(2, n + j) == tail(j) + 2);
        }
        everywhere(sum(joined));
        everywhere(inclusive_scan([](auto a, auto b) { return max(a, b); }, concat(head, tail)));
    }
    const auto x = from(numbers<float>(100));
    auto beyond = generate(
        shape(200), [=](Exp<std::int64_t> j) { return cond(j < 100, [=] { return x(j); }, [=] { return x(j - 99); }); });
    REQUIRE_THROWS_AS(run(beyond), IndexError);
}

TEST_CASE("pieces of pieces", "[pieces]") {
    for (std::int64_t n : {1, 9, 64, 300}) {
        CAPTURE(n);
        const auto x = from(numbers<std::int32_t>(n)), y = from(numbers<std::int32_t>(n + 3, 2));
        everywhere(concat(rotate(x, 2), concat(y, x)));
        everywhere(rotate(concat(x, y), n / 2));
        everywhere(concat(x, y) + rotate(concat(y, x), 1));
        everywhere(concat(concat(x, y, x), concat(y, x, y), x));
        everywhere(gather(map([=](auto v) { return (v * v + 1) % (2 * n + 3); }, y), concat(x, y)));
    }
}

TEST_CASE("large kernels of pieces", "[pieces]") {
    for (std::int64_t n : {1, 2, 15, 16, 17, 33, 64, 65, 130}) {
        CAPTURE(n);
        const Array<std::uint8_t, 2> x =
            run(generate(shape(3, n), [](auto i, auto j) { return cast<std::uint8_t>(i * 31 + j * j); }));
        const auto bits = map([](Exp<std::uint8_t> v) { return v % 3 == 0; }, x);
        auto counts = map([](Exp<bool> b) { return cast<std::uint8_t>(b); }, bits);
        Delayed<std::uint8_t, 2> sum = rotate(counts, 1, 1) + rotate(counts, -1, 1);
        for (std::int64_t k : {-1, 1}) {
            const auto row = rotate(counts, k, 0);
            sum = sum * std::uint8_t{2} + row + rotate(row, 1, 1) + rotate(row, n / 2, 1);
        }
        everywhere(map([](Exp<bool> b, Exp<std::uint8_t> s) { return s == 3 || (b && s % 5 == 2); }, bits, sum));
        everywhere(sum + rotate(sum, 1, 1) + rotate(rotate(sum, 2, 1), -1, 0));
    }
}

TEMPLATE_TEST_CASE("columns at constants", "[pieces]", std::uint8_t, std::int32_t, float, double) {
    using T = TestType;
    for (std::int64_t n : {1, 3, 70})
        for (std::int64_t m : {1, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100}) {
            CAPTURE(n, m);
            const auto x = from(numbers<T>(n)), y = from(numbers<T>(n, 3)), z = from(numbers<T>(n * m, 5));
            auto chosen = [&](std::vector<std::int64_t> columns) {
                return generate(shape(n, m), [=](auto i, auto k) {
                    auto value = z(i * m + k);
                    for (std::size_t c = 0; c < columns.size(); ++c)
                        value = select(k == columns[c], c % 2 == 0 ? x(i) : y(i) + x(i), value);
                    return value;
                });
            };
            everywhere(chosen({0, 1, 2, 3}));
            everywhere(chosen({14, 8, 6, 7, 10, 9, 4, 12, 5, 13, 3, 11, 2, 1, 0}));
            everywhere(chosen({3, 30, 17, 3, 9}));
            everywhere(chosen({40, 2, 50, 63, 1}));
            everywhere(chosen({-3, 5, 1000, 6, 7, 0}));
        }
}
