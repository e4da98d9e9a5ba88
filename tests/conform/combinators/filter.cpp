// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays whose sizes depend on data.
#include "conform/support.hpp"

#include <numeric>

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("filters of every element type", "[filter]", std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, float, double) {
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

TEST_CASE("filters of elements of many widths at once", "[filter]") {
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto i = iota(n);
        auto odd = map([](auto k) { return k % 3 == 1; }, i);
        auto narrow = map([](auto k) { return cast<std::int16_t>(k * 7); }, i);
        auto wide = map([](auto k) { return cast<double>(k) * 0.5; }, i);
        auto keep = [](auto k, auto o, auto a, auto b) { return o || (k * 11) % 7 < 3 || cast<double>(a) < b; };
        auto [ks, os, as, bs] = unzip(filter(keep, zip(i, odd, narrow, wide)));
        everywhere(ks), everywhere(os), everywhere(as), everywhere(bs);
    }
}

TEST_CASE("filters by gathered elements and by neighbours", "[filter]") {
    for (auto n : edge_sizes) {
        CAPTURE(n);
        const auto hx = numbers<std::int32_t>(n);
        std::vector<std::int64_t> places, found, peaks;
        for (std::int64_t i = 0; i < n; ++i) places.push_back(i * 7 % n);
        auto at = [&](std::int64_t i) { return hx[static_cast<std::size_t>(i)]; };
        for (std::int64_t i = 0; i < n; ++i) {
            if (at(places[static_cast<std::size_t>(i)]) > at(i)) found.push_back(places[static_cast<std::size_t>(i)]);
            if (at(i) > at(std::max<std::int64_t>(i - 1, 0)) && at(i) >= at(std::min(i + 1, n - 1))) peaks.push_back(i);
        }
        const Array<std::int32_t> x = from(hx);
        auto further = [=](auto place, auto i) { return x(place) > x(i); };
        require_same(found, everywhere(get<0>(filter(further, zip(from(places), iota(n))))).to_vector());
        auto peak = stencil([](auto s) { return s(0) > s(-1) && s(0) >= s(1); }, boundary::clamp, x);
        require_same(peaks, everywhere(compact(peak, iota(n))).to_vector());
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

TEMPLATE_TEST_CASE("folds of what a filter keeps", "[filter]", std::int8_t, std::int32_t, std::int64_t, float, double) {
    using T = TestType;
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto hx = numbers<T>(n);
        Array<T> x = from(hx);
        auto kept = filter([](auto v) { return v > T(1); }, x);
        T total = 0, greatest = std::numeric_limits<T>::lowest();
        for (T v : hx)
            if (v > T(1)) total = static_cast<T>(total + v), greatest = std::max(greatest, v);
        REQUIRE(everywhere(sum(kept)).item() == total);
        REQUIRE(everywhere(sum(map([](auto v) { return v * T(2); }, kept))).item() == static_cast<T>(total * T(2)));
        if (n > 2) REQUIRE(everywhere(max(kept)).item() == greatest);
        everywhere(sum(filter([](auto v) { return v < T(4); }, kept)));
        everywhere(sum(filter([](auto v) { return v < T(4); }, map([](auto v) { return v - T(1); }, kept))));
        everywhere(filter([](auto v) { return v < T(4); }, map([](auto v) { return v - T(1); }, kept)));
        everywhere(map([](auto v) { return v * v; }, kept));
    }
}

TEST_CASE("means of what a filter keeps", "[filter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<double> x = from(numbers<double>(n));
        auto kept = filter([](auto v) { return v > 0; }, x);
        everywhere(mean(kept));
        everywhere(mean(map([](auto v) { return v * 0.25; }, kept)));
        auto centred = kept - mean(kept);
        everywhere(sum(cast<std::int64_t>(centred)));
    }
}

namespace {}  // namespace

TEST_CASE("non-commutative folds of what a filter keeps", "[filter]") {
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto ha = numbers<std::int32_t>(n), hb = numbers<std::int32_t>(n, 3);
        auto pairs = zip(from(ha), from(hb));
        auto kept = filter([](auto a, auto b) { return a != 0 && b > -3; }, pairs);
        auto [a, b] = everywhere(fold(conform::composition, std::tuple(std::int32_t{3}, std::int32_t{5}), kept)).item();
        std::uint32_t ea = 3, eb = 5;
        for (std::size_t i = 0; i < ha.size(); ++i) {
            if (ha[i] == 0 || hb[i] <= -3) continue;
            eb = eb * static_cast<std::uint32_t>(ha[i]) + static_cast<std::uint32_t>(hb[i]);
            ea *= static_cast<std::uint32_t>(ha[i]);
        }
        REQUIRE(a == static_cast<std::int32_t>(ea));
        REQUIRE(b == static_cast<std::int32_t>(eb));
    }
}

TEST_CASE("folds of both parts of a partition", "[filter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        auto [with, without] = partition([](auto v) { return v > 1; }, x);
        everywhere(sum(with) - sum(without));
        everywhere(map([=](auto s) { return s * size(with); }, sum(without)));
        everywhere(sum(with * 3));
        everywhere(without * 3);
    }
}

TEST_CASE("what a filter keeps is not written for one pass over it", "[filter]") {
    Array<float> x = from(numbers<float>(1000));
    auto kept = filter([](auto v) { return v > 0; }, x);
    auto doubled = map([](auto v) { return v * 2; }, kept);
    auto again = filter([](auto v) { return v < 8; }, doubled);
    auto [with, without] = partition([](auto v) { return v > 1; }, x);
    auto composed = fold([](auto a, auto b) { return a * 0.f + b; }, 0.f, kept);
    for (const auto& expression : {sum(kept), sum(doubled), mean(doubled), sum(again), mean(again), composed,
                                   Delayed<float, 0>(sum(with) - sum(without))}) {
        auto explanation = explain(expression);
        INFO(explanation.text());
        CHECK(explanation.clusters().size() == 1);
        CHECK(explanation.clusters().back().outputs().size() == 1);
        CHECK(explanation.bytes_moved() < 4100);
    }
    CHECK(explain(doubled).clusters().size() == 1);
    CHECK(explain(again).clusters().size() == 1);
    CHECK(explain(sum(exp(kept))).clusters().size() == 2);  // not for what is dropped
}

TEST_CASE("what a filter keeps is counted by explanations as if it were all, everywhere alike", "[filter]") {
    Array<float> x = from(numbers<float>(1000));
    auto kept = filter([](auto v) { return v > 0; }, x);
    auto explanation = explain(sum(exp(kept)));
    INFO(explanation.text());
    std::int64_t sum = 0;
    for (const auto& cluster : explanation.clusters()) sum += cluster.bytes();
    CHECK(sum == explanation.bytes_moved());
    CHECK(explanation.bytes_moved() >= 3 * 4000);
    const std::string count = std::to_string(explanation.clusters().size()), bytes = std::to_string(sum);
    auto has = [&](const std::string& text) { return explanation.text().find(text) != std::string::npos; };
    CHECK(has(count + " clusters, " + bytes + " bytes moved"));
    CHECK(has(count + " clusters " + std::string(16 - bytes.size(), ' ') + bytes + " bytes\n"));
    CHECK(has("\nExtents: n0 = 1000\n"));
    CHECK(has("\nExtents that data decides, bytes counted as if: "));
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

TEST_CASE("what a filter keeps, as many as something else", "[filter]") {
    auto program = compile([](Delayed<float> x, Exp<float> limit) {
        auto doubled = map([](auto v) { return v * 2; }, filter([=](auto v) { return v > limit; }, x));
        return std::tuple(doubled, doubled + x, sum(doubled));
    });
    for (auto n : few_sizes) {
        auto hx = numbers<float>(n);
        Array<float> x = from(hx);
        auto [doubled, tripled, total] = program(x, -100.f);
        for (auto& v : hx) v *= 3;
        require_same(hx, tripled.to_vector());
        REQUIRE(total.item() == run(sum(doubled)).item());
        if (n > 1) REQUIRE_THROWS_AS(program(x, 0.f), ShapeError);
    }
}

TEST_CASE("masks of another shape", "[filter]") {
    Array<float> x = from(numbers<float>(5));
    REQUIRE_THROWS_AS(compact(from(numbers<bool>(4)), x), ShapeError);
    auto kept = filter([](auto v) { return v > 0; }, x);
    REQUIRE_THROWS_AS(run(kept + x), ShapeError);
    REQUIRE_THROWS_AS(kept.shape(), UsageError);
}

TEST_CASE("folds that begin with what a filter keeps", "[filter]") {
    auto keep = [](Exp<int> v) { return v > 3; };
    auto add = [](Exp<int> a, Exp<int> b) { return a + b; };
    for (std::int64_t n : {0, 1, 7, 100}) {
        CAPTURE(n);
        Array<int, 1> x = from(numbers<int>(n)), y = from(numbers<int>(9, 2));
        everywhere(vmap([&](Exp<int> v) { return fold(add, v, y); }, filter(keep, x)));
        everywhere(vmap([&](Exp<int> v) { return inclusive_scan([=](auto a, auto b) { return max(a, min(b, v)); }, y); },
                        filter(keep, x)));
    }
}

TEST_CASE("filters by one mask are one kernel, and so are maps over several of them", "[filter]") {
    for (auto n : edge_sizes) {
        CAPTURE(n);
        const auto hx = numbers<float>(n);
        const auto hy = numbers<std::int16_t>(n, 5);
        std::vector<float> xs, products;
        std::vector<std::int16_t> ys;
        std::vector<std::int64_t> places;
        for (std::size_t i = 0; i < hx.size(); ++i) {
            if (!(hx[i] > 1.f)) continue;
            xs.push_back(hx[i]), ys.push_back(hy[i]), places.push_back(static_cast<std::int64_t>(i));
            products.push_back(hx[i] * static_cast<float>(hy[i]));
        }
        const Array<float> x = from(hx);
        const Array<std::int16_t> y = from(hy);
        const auto mask = x > 1.f;
        const auto product = compact(mask, x) * cast<float>(compact(mask, y));
        require_same(products, everywhere(product).to_vector());
        for (Fusion fusion : strategies)
            for (Target target : targets()) {
                auto [a, b, c, d, e] = run(
                    std::tuple(compact(mask, x), compact(mask, y), compact(mask, iota(n)), product, sum(compact(mask, y))),
                    {.target = target, .fusion = fusion});
                require_same(xs, a.to_vector());
                require_same(ys, b.to_vector());
                require_same(places, c.to_vector());
                require_same(products, d.to_vector());
                REQUIRE(e.item() == static_cast<std::int16_t>(std::accumulate(ys.begin(), ys.end(), 0)));
            }
        everywhere(sum(product));
        if (n < 2) continue;
        CHECK(explain(product).clusters().size() == 1);
        CHECK(explain(product).clusters().back().outputs().size() == 2);  // and their number
        CHECK(explain(sum(product)).clusters().size() == 1);
        CHECK(explain(compact(mask, x), compact(mask, y), compact(mask, iota(n))).clusters().size() == 1);
    }
}
