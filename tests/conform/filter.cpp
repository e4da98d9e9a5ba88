// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays whose sizes depend on data.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("filters of every element type", "[filter]", std::int8_t, std::int32_t, std::int64_t, std::uint8_t, float,
                   double) {
    using T = TestType;
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto hx = numbers<T>(n);
        std::vector<T> expected, others;
        for (T v : hx) (v > T(2) ? expected : others).push_back(v);
        Array<T> x = from(hx);
        require_same(expected, everywhere(filter([](auto v) { return v > T(2); }, x)).to_vector());
        require_same(expected, everywhere(compact(x > T(2), x)).to_vector());
        auto [with, without] = partition([](auto v) { return v > T(2); }, x);
        require_same(expected, everywhere(with).to_vector());
        require_same(others, everywhere(without).to_vector());
    }
}

TEST_CASE("filters that keep nothing or everything", "[filter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto hx = numbers<float>(n);
        Array<float> x = from(hx);
        REQUIRE(everywhere(filter([](auto v) { return v > 100; }, x)).size() == 0);
        require_same(hx, everywhere(filter([](auto v) { return v < 100; }, x)).to_vector());
    }
}

TEST_CASE("filters of products", "[filter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto ha = numbers<std::int32_t>(n), hb = numbers<std::int32_t>(n, 5);
        auto pairs = zip(from(ha), from(numbers<double>(n, 5)) * 2.5);
        auto kept = everywhere(filter([](auto a, auto b) { return cast<double>(a) < b; }, pairs)).to_vector();
        std::vector<std::tuple<std::int32_t, double>> expected;
        for (std::size_t i = 0; i < ha.size(); ++i)
            if (ha[i] < hb[i] * 2.5) expected.emplace_back(ha[i], hb[i] * 2.5);
        REQUIRE(kept == expected);
    }
}

TEST_CASE("computing with filtered arrays", "[filter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        auto positive = filter([](auto v) { return v > 0; }, x + 1);
        everywhere(positive * 2);
        everywhere(sum(positive));
        everywhere(map_indexed([](auto i, auto v) { return i + v; }, positive));
        everywhere(filter([](auto v) { return v < 4; }, positive));
        everywhere(reverse(positive));
        everywhere(map([=](auto v) { return v + size(positive); }, x));
    }
}

TEST_CASE("filters in compiled programs", "[filter]") {
    auto program = compile([](Delayed<float> x, Exp<float> limit) {
        auto kept = filter([=](auto v) { return v > limit; }, x);
        return std::tuple(kept, size(kept));
    });
    for (auto n : few_sizes) {
        auto [kept, count] = program(from(numbers<float>(n)), 1.f);
        REQUIRE(kept.size() == count);
        for (float v : kept.to_vector()) REQUIRE(v > 1.f);
    }
}

TEST_CASE("masks of another shape", "[filter]") {
    Array<float> x = from(numbers<float>(5));
    REQUIRE_THROWS_AS(compact(from(numbers<bool>(4)), x), ShapeError);
    auto kept = filter([](auto v) { return v > 0; }, x);
    REQUIRE_THROWS_AS(run(kept + x), ShapeError);
    REQUIRE_THROWS_AS(kept.shape(), UsageError);
}
