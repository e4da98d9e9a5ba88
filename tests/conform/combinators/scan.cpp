// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: both kinds, both directions, every axis, operators that do not commute.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

template <class T>
std::vector<T> prefixes(const std::vector<T>& x, T init, bool exclusive) {
    std::vector<T> result;
    T total = init;
    for (T v : x) {
        T next = static_cast<T>(total + v);
        result.push_back(exclusive ? total : next);
        total = next;
    }
    return result;
}

/// Composition of affine maps x -> a x + b over integers modulo 2^32: associative, not commutative.
const auto compose = [](auto f, auto g) {
    auto [a, b] = f;
    auto [c, d] = g;
    return std::tuple(c * a, c * b + d);
};

}  // namespace

TEMPLATE_TEST_CASE("prefix sums of every number type", "[scan]", std::int8_t, std::int32_t, std::int64_t, std::uint16_t,
                   float, double) {
    using T = TestType;
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto hx = numbers<T>(n);
        Array<T> x = from(hx);
        require_same(prefixes<T>(hx, 0, false), everywhere(inclusive_scan(std::plus<>{}, x)).to_vector());
        require_same(prefixes<T>(hx, 3, false), everywhere(inclusive_scan(std::plus<>{}, T(3), x)).to_vector());
        require_same(prefixes<T>(hx, 3, true), everywhere(exclusive_scan(std::plus<>{}, T(3), x)).to_vector());
        auto mirrored = std::vector<T>(hx.rbegin(), hx.rend());
        auto right = prefixes<T>(mirrored, 3, true);
        require_same(std::vector<T>(right.rbegin(), right.rend()),
                     everywhere(exclusive_scan(std::plus<>{}, T(3), x, from_right)).to_vector());
    }
}

TEST_CASE("scans with their totals", "[scan]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto hx = numbers<std::int64_t>(n);
        Array<std::int64_t> x = from(hx);
        auto [before, total] = scan_with_total(std::plus<>{}, 5, x);
        require_same(prefixes<std::int64_t>(hx, 5, true), everywhere(before).to_vector());
        REQUIRE(everywhere(total).item() == std::accumulate(hx.begin(), hx.end(), std::int64_t{5}));
        everywhere(map([t = total](auto v) { return v + t(); }, before));
    }
}

TEST_CASE("scans of large arrays split into chunks", "[scan]") {
    for (std::int64_t n : {65535, 65536, 65537, 70000, (1 << 20) + 3}) {
        CAPTURE(n);
        auto hx = numbers<float>(n);
        Array<float> x = from(hx);
        require_same(prefixes<float>(hx, 0, false), everywhere(inclusive_scan(std::plus<>{}, x)).to_vector());
        everywhere(exclusive_scan(std::plus<>{}, 0.f, x * 2.f, from_right));
    }
}

TEST_CASE("scans with operators that do not commute", "[scan]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto ha = numbers<std::uint32_t>(n, 3), hb = numbers<std::uint32_t>(n, 7);
        auto maps = zip(from(ha) * std::uint32_t(2) + std::uint32_t(1), from(hb));
        auto scanned = everywhere(inclusive_scan(compose, std::tuple(1u, 4u), maps)).to_vector();
        std::uint32_t a = 1, b = 4;
        for (std::size_t i = 0; i < scanned.size(); ++i) {
            std::uint32_t c = ha[i] * 2 + 1;
            a = c * a;
            b = c * b + hb[i];
            REQUIRE(scanned[i] == std::tuple(a, b));
        }
        everywhere(exclusive_scan(compose, std::tuple(1u, 4u), maps, from_right));
        auto last_nonzero = [](auto l, auto r) { return select(r != 0, r, l); };
        everywhere(inclusive_scan(last_nonzero, from(numbers<std::int32_t>(n))));
        everywhere(inclusive_scan(last_nonzero, from(numbers<std::int32_t>(n)), from_right));
    }
}

TEST_CASE("scans along any axis", "[scan]") {
    for (std::int64_t rows : {0, 1, 3, 17, 300}) {
        for (std::int64_t columns : {0, 1, 5, 33, 130}) {
            CAPTURE(rows, columns);
            auto ha = numbers<float>(rows * columns);
            Array<float, 2> a = from(ha, shape(rows, columns));
            auto down = everywhere(inclusive_scan(std::plus<>{}, a, axis(0)));
            auto across = everywhere(exclusive_scan(std::plus<>{}, 0.f, a, axis(-1)));
            if (rows > 2 && columns > 2) {
                REQUIRE(down(2, 1) == a(0, 1) + a(1, 1) + a(2, 1));
                REQUIRE(across(1, 2) == a(1, 0) + a(1, 1));
            }
            everywhere(inclusive_scan(std::plus<>{}, a, from_right, axis(0)));
            auto [before, total] = scan_with_total(std::plus<>{}, 1.f, a, axis(0), from_right);
            everywhere(before);
            REQUIRE(everywhere(total).shape() == std::array<std::int64_t, 1>{columns});
            everywhere(inclusive_scan(std::plus<>{}, transpose(a)));
        }
    }
    Array<std::int32_t, 3> c = from(numbers<std::int32_t>(4 * 5 * 6), shape(4, 5, 6));
    for (int k : {0, 1, 2}) everywhere(inclusive_scan(std::multiplies<>{}, c, axis(k)));
    REQUIRE_THROWS_AS(inclusive_scan(std::plus<>{}, c, axis(3)), UsageError);
}

TEST_CASE("scans with what stands before and after them", "[scan]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<int> x = from(numbers<int>(n)), y = from(numbers<int>(n, 9));
        auto s = inclusive_scan(std::plus<>{}, x * y);
        everywhere(s + x);
        everywhere(sum(s));
        everywhere(inclusive_scan(std::plus<>{}, sum(y), x));
        everywhere(inclusive_scan([](auto l, auto r) { return max(l, r); }, s - y));
    }
}

TEST_CASE("scans of different kinds of one array", "[scan]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<int> x = from(numbers<int>(n));
        auto after = inclusive_scan(std::plus<>{}, 3, x), before = exclusive_scan(std::plus<>{}, 3, x);
        require_same(run(after - x).to_vector(), everywhere(before).to_vector());
        everywhere(zip(after, before));
        everywhere(zip(inclusive_scan(std::plus<>{}, x), after, inclusive_scan(std::plus<>{}, 3, x, from_right)));
    }
}
