// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function called again and again: the first few extents are remembered, and nothing else of a call is.
#include "conform/support.hpp"

#include <atomic>
#include <thread>

using namespace sinter;
using namespace conform;

namespace {

std::vector<std::int64_t> iota_times(std::int64_t n, std::int64_t factor) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * factor;
    return values;
}

}  // namespace

TEST_CASE("calls with the same and with other extents and values", "[compile][replay]") {
    auto f = compile([](Delayed<std::int64_t> x, Exp<std::int64_t> a) {
        auto y = force(x * a);
        return std::tuple(y + inclusive_scan([](auto u, auto v) { return u + v; }, y), sum(y));
    });
    for (int round = 0; round < 3; ++round)
        for (std::int64_t n : {0, 1, 7, 8, 9, 100, 1000, 4099, 5000, 5001, 70000, 200000}) {
            const std::int64_t a = n % 7 + round;
            auto [prefixes, total] = f(from(iota_times(n, 3)), a);
            REQUIRE(total.item() == 3 * a * (n * (n - 1) / 2));
            REQUIRE(prefixes.size() == n);
            for (std::int64_t i = 0; i < n; i += 97) REQUIRE(prefixes(i) == 3 * a * i + 3 * a * (i * (i + 1) / 2));
        }
}

TEST_CASE("results that are arguments, and the same result twice", "[compile][replay]") {
    auto f = compile([](Delayed<float> x, Delayed<float> y) {
        auto s = x + y;
        return std::tuple(x, s, force(s), y);
    });
    for (int round = 0; round < 4; ++round) {
        Array<float> x = from(numbers<float>(100 + round % 2)), y = from(numbers<float>(100 + round % 2));
        auto [a, b, c, d] = f(x, y);
        require_same(x.to_vector(), a.to_vector());
        require_same(y.to_vector(), d.to_vector());
        require_same(run(x + y).to_vector(), b.to_vector());
        require_same(b.to_vector(), c.to_vector());
    }
}

TEST_CASE("results of earlier calls stay as they are", "[compile][replay]") {
    auto f = compile([](Delayed<std::int32_t> x, Exp<std::int32_t> a) { return x + a; });
    Array<std::int32_t> x = from(numbers<std::int32_t>(5000));
    std::vector<Array<std::int32_t>> results;
    for (std::int32_t a = 0; a < 20; ++a) results.push_back(f(x, a));
    for (std::int32_t a = 0; a < 20; ++a) REQUIRE(results[static_cast<std::size_t>(a)](4321) == results[0](4321) + a);
}

TEST_CASE("extents that are values", "[compile][replay]") {
    auto f = compile([](Delayed<std::int32_t> x, Exp<std::int64_t> n) { return sum(slice(x, range(0, n))); });
    Array<std::int32_t> x = from(std::vector<std::int32_t>(50, 1));
    for (std::int64_t n : {3, 3, 20, 3, 50, 0, 0, 20}) REQUIRE(f(x, n).item() == n);
    REQUIRE_THROWS_AS(f(x, 51), ShapeError);
    REQUIRE(f(x, 50).item() == 50);
}

TEST_CASE("a call that fails after others have succeeded", "[compile][replay]") {
    auto f = compile([](Delayed<float> x, Delayed<std::int64_t> i) { return gather(i, x) * 2.f; });
    Array<float> x = from(std::vector<float>{1, 2, 3});
    for (int round = 0; round < 3; ++round) {
        const std::vector<float> doubled{6, 2};
        REQUIRE(f(x, from(std::vector<std::int64_t>{2, 0})).to_vector() == doubled);
        REQUIRE_THROWS_AS(f(x, from(std::vector<std::int64_t>{2, 3})), IndexError);
        REQUIRE_THROWS_AS(f(from(std::vector<float>{}), from(std::vector<std::int64_t>{0, 0})), IndexError);
    }
}

TEST_CASE("shapes that do not fit fail each time", "[compile][replay]") {
    auto f = compile([](Delayed<float> x, Delayed<float> y) { return x - y; });
    Array<float> x = from(numbers<float>(4)), y = from(numbers<float>(5));
    for (int round = 0; round < 3; ++round) {
        REQUIRE(f(x, x)(3) == 0);
        REQUIRE_THROWS_AS(f(x, y), ShapeError);
        REQUIRE(f(y, y)(4) == 0);
    }
}

TEST_CASE("many threads call with many extents", "[compile][replay]") {
    auto f = compile([](Delayed<std::int64_t> x, Exp<std::int64_t> a) { return sum(x * a); });
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::int64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::int64_t k = 0; k < 60; ++k) {
                const std::int64_t n = 1 + (k * 5 + t) % 17;
                if (f(from(iota_times(n, 1)), t).item() != t * (n * (n - 1) / 2)) ++wrong;
            }
        });
    for (std::thread& thread : threads) thread.join();
    REQUIRE(wrong == 0);
}

TEST_CASE("calls of several kernels with arrays in turn, kept and gone", "[compile][replay]") {
    auto add = [](auto p, auto q) { return p + q; };
    auto f = compile([=](Delayed<std::int64_t> x, Delayed<std::int64_t> y, Exp<std::int64_t> a) {
        auto prefixes = force(inclusive_scan(add, x * a));
        auto mixed = force(force(prefixes + y) * 2 - force(x));
        return std::tuple(mixed, sum(mixed),
                          histogram(7, add, std::int64_t{0}, map([](auto v) { return v & 3; }, y), prefixes));
    });
    for (std::int64_t n : {1, 300, 20000}) {
        std::vector<Array<std::int64_t>> inputs, kept;
        for (std::int64_t k = 0; k < 5; ++k) inputs.push_back(run(from(iota_times(n, k + 1)) + k));
        for (std::int64_t call = 0; call < 40; ++call) {
            const auto i = static_cast<std::size_t>(call < 20 ? call % 2 : call * 7 % 5), j = (i + 1) % 2;
            const std::int64_t a = call % 3;
            auto [mixed, total, bins] = f(inputs[i], inputs[j], a);
            const std::vector<std::int64_t> x = inputs[i].to_vector(), y = inputs[j].to_vector();
            std::vector<std::int64_t> expected(x.size()), counts(7);
            std::int64_t prefix = 0, sum = 0;
            for (std::size_t k = 0; k < x.size(); ++k) {
                prefix += x[k] * a;
                counts[static_cast<std::size_t>(y[k] & 3)] += prefix;
                sum += expected[k] = (prefix + y[k]) * 2 - x[k];
            }
            require_same(expected, mixed.to_vector());
            require_same(counts, bins.to_vector());
            REQUIRE(total.item() == sum);
            if (call % 4 == 0) kept.push_back(mixed);
        }
        const auto first = kept[0].to_vector();
        auto again = f(inputs[0], inputs[1], std::int64_t{0});
        require_same(first, std::get<0>(again).to_vector());
    }
}

TEST_CASE("many threads call a function of several kernels", "[compile][replay]") {
    auto f = compile([](Delayed<std::int64_t> x, Exp<std::int64_t> a) {
        auto y = force(x * a);
        return sum(force(inclusive_scan([](auto p, auto q) { return p + q; }, y)) - y);
    });
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::int64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const std::int64_t n = 9000 + t % 2;
            Array<std::int64_t> x = from(iota_times(n, 1));
            std::int64_t expected = 0, prefix = 0;
            for (std::int64_t i = 0; i < n; prefix += i++) expected += prefix;
            for (std::int64_t k = 0; k < 25; ++k)
                if (f(x, k).item() != k * expected) ++wrong;
        });
    for (std::thread& thread : threads) thread.join();
    REQUIRE(wrong == 0);
}
