// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting: every number type, both directions, stability, keys that are products, NaN.
#include "conform/support.hpp"

#include <algorithm>
#include <limits>

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("sorts of every number type", "[sort]", std::int8_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint32_t, float, double) {
    using T = TestType;
    for (std::int64_t n : {0, 1, 2, 7, 8, 9, 31, 32, 33, 1000, 70000}) {
        CAPTURE(n);
        auto hx = numbers<T>(n);
        for (std::size_t i = 0; i < hx.size(); ++i) hx[i] = static_cast<T>(hx[i] * static_cast<T>(i * 2654435761u % 9));
        Array<T> x = from(hx);
        std::sort(hx.begin(), hx.end());
        auto ascending = everywhere(sort(x)).to_vector();
        auto falling = everywhere(sort(x, descending)).to_vector();
        bool same_order = std::equal(hx.begin(), hx.end(), ascending.begin(), ascending.end());
        REQUIRE(same_order);
        same_order = std::equal(hx.rbegin(), hx.rend(), falling.begin(), falling.end());
        REQUIRE(same_order);
    }
}

TEST_CASE("sorting is stable", "[sort]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto keys = numbers<std::int32_t>(n);
        auto [sorted, positions] = sort_by_key(from(keys), iota(n));
        auto at = everywhere(positions).to_vector();
        everywhere(sorted);
        for (std::size_t i = 1; i < at.size(); ++i) {
            auto a = static_cast<std::size_t>(at[i - 1]), b = static_cast<std::size_t>(at[i]);
            bool in_order = keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
            REQUIRE(in_order);
        }
        require_same(at, everywhere(argsort(from(keys))).to_vector());
        auto down = everywhere(argsort(from(keys), descending)).to_vector();
        for (std::size_t i = 1; i < down.size(); ++i) {
            auto a = static_cast<std::size_t>(down[i - 1]), b = static_cast<std::size_t>(down[i]);
            bool in_order = keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
            REQUIRE(in_order);
        }
    }
}

TEST_CASE("keys that are products", "[sort]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto ha = numbers<std::int8_t>(n), hb = numbers<std::int8_t>(n, 5);
        auto hc = numbers<double>(n, 2);
        std::vector<std::tuple<std::int8_t, std::int8_t>> expected;
        for (std::size_t i = 0; i < ha.size(); ++i) expected.emplace_back(ha[i], hb[i]);
        std::sort(expected.begin(), expected.end());
        auto pairs = zip(from(ha), from(hb));
        bool same_order = everywhere(sort(pairs)).to_vector() == expected;
        REQUIRE(same_order);
        auto [keys, values] = sort_by_key(pairs, zip(from(hc), from(ha)), descending);
        everywhere(keys);
        everywhere(values);
        everywhere(gather(argsort(pairs), from(hc)));
    }
}

TEST_CASE("sorts of lines", "[sort]") {
    for (std::int64_t rows : {0, 1, 3, 300}) {
        for (std::int64_t columns : {0, 1, 5, 130}) {
            CAPTURE(rows, columns);
            auto hx = numbers<float>(rows * columns);
            auto sorted = everywhere(sort(from(hx, shape(rows, columns)))).to_vector();
            for (std::int64_t i = 0; i < rows; ++i) std::sort(hx.begin() + i * columns, hx.begin() + (i + 1) * columns);
            require_same(hx, sorted);
            everywhere(argsort(from(hx, shape(rows, columns)), descending));
        }
    }
}

TEST_CASE("NaN comes last", "[sort]") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    Array<float> x = from(std::vector<float>{nan, 2, infinity, -infinity, nan, -0.f, 0.f, -1});
    require_same({-infinity, -1, -0.f, 0.f, 2, infinity, nan, nan}, everywhere(sort(x)).to_vector());
    require_same({infinity, 2, -0.f, 0.f, -1, -infinity, nan, nan}, everywhere(sort(x, descending)).to_vector());
}

TEST_CASE("sorts with what stands before and after them", "[sort]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<float> x = from(numbers<float>(n));
        everywhere(sort(x * x) + 1);
        everywhere(sum(sort(x)));
        everywhere(reverse(sort(filter([](auto v) { return v > 0; }, x))));
        everywhere(sort(from(numbers<bool>(n))));
    }
    REQUIRE_THROWS_AS(sort_by_key(from(numbers<float>(3)), iota(4)), ShapeError);
}

TEST_CASE("sorting along any axis", "[sort]") {
    Array<int, 3> a = from(numbers<int>(4 * 5 * 6), shape(4, 5, 6));
    Array<int, 3> b = from(numbers<int>(4 * 5 * 6, 3), shape(4, 5, 6));
    auto first = [](const auto& x) { return transpose(x, {1, 2, 0}); };
    auto back = [](const auto& x) { return transpose(x, {2, 0, 1}); };
    require_same(everywhere(sort(a, axis(0))).to_vector(), run(back(sort(first(a)))).to_vector());
    require_same(everywhere(sort(a, axis(-1), descending)).to_vector(), run(sort(a, descending)).to_vector());
    require_same(everywhere(argsort(a, axis(0))).to_vector(), run(back(argsort(first(a)))).to_vector());
    require_same(everywhere(argsort(a, axis(1), descending)).to_vector(),
                 run(transpose(argsort(transpose(a, {0, 2, 1}), descending), {0, 2, 1})).to_vector());
    auto [keys, values] = sort_by_key(a, b, axis(0));
    auto [wanted_keys, wanted_values] = sort_by_key(first(a), first(b));
    require_same(everywhere(keys).to_vector(), run(back(wanted_keys)).to_vector());
    require_same(everywhere(values).to_vector(), run(back(wanted_values)).to_vector());
    require_same(run(sort(flatten(a), axis(0))).to_vector(), run(sort(flatten(a))).to_vector());
    REQUIRE_THROWS_AS(sort(a, axis(3)), UsageError);
}

TEST_CASE("the first elements of sorted lines", "[sort]") {
    for (std::int64_t n : {5, 64, 1000, 70000})
        for (std::int64_t k : {std::int64_t{0}, std::int64_t{1}, std::int64_t{5}, n / 2, n}) {
            if (k > n) continue;
            CAPTURE(n, k);
            const Array<float> x = from(numbers<float>(n));
            for (const bool falls : {false, true}) {
                const auto order = falls ? argsort(x, descending) : argsort(x);
                auto expected = run(order, {.target = Target::interpreter()}).to_vector();
                expected.resize(static_cast<std::size_t>(k));
                CHECK(everywhere(take(order, k)).to_vector() == expected);
                everywhere(gather(take(order, k), x));
            }
            const auto [keys, values] = sort_by_key(zip(from(numbers<std::int8_t>(n)), x), iota(n));
            everywhere(map([](auto a, auto b) { return cast<double>(get<0>(a)) + cast<double>(b); }, take(keys, k),
                           take(values, k)));
        }
    const Array<std::int32_t, 2> m = from(numbers<std::int32_t>(30 * 40), shape(30, 40));
    everywhere(take(argsort(m, descending), 3, axis(1)));
    everywhere(vmap([](auto row) { return take(sort(row), 2); }, m));
    everywhere(take(sort(m), 7));                                              // whole lines
    everywhere(concat(take(sort(flatten(m)), 3), take(sort(flatten(m)), 5)));  // two lengths
    CHECK_THROWS_AS(run(compile([](Delayed<float> a) { return take(sort(a), 9); })(from(numbers<float>(5)))), ShapeError);
}
