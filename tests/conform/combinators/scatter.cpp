// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing at computed positions: with and without an operator, ranks 1 and 2, dropped elements, errors.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

TEMPLATE_TEST_CASE("scatters of every element type", "[scatter]", std::int8_t, std::int32_t, std::int64_t, std::uint16_t,
                   float, double) {
    using T = TestType;
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto values = numbers<T>(n);
        std::vector<std::int64_t> indices;
        std::vector<T> expected(static_cast<std::size_t>(2 * n + 1), T(1));
        for (std::int64_t i = 0; i < n; ++i) {
            indices.push_back(i % 3 == 0 ? -1 : 2 * (n - 1 - i));
            if (i % 3 != 0) expected[static_cast<std::size_t>(indices.back())] = values[static_cast<std::size_t>(i)];
        }
        auto dest = fill(shape(2 * n + 1), T(1));
        require_same(expected, everywhere(scatter(dest, from(indices), from(values))).to_vector());
    }
}

TEST_CASE("scatters that combine", "[scatter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto values = numbers<std::int32_t>(n), bins = numbers<std::int32_t>(n, 3);
        std::vector<std::int32_t> expected(6, 100);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (bins[i] >= -1) expected[static_cast<std::size_t>(bins[i] + (bins[i] < 0 ? 6 : 0))] += values[i];
        expected[5] = 100;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (bins[i] == 5) expected[5] += values[i];
        auto indices = map([](auto b) { return select(b < -1, -1, b); }, from(bins));
        auto dest = fill(shape(6), 100);
        require_same(expected, everywhere(scatter(std::plus<>{}, dest, indices, from(values))).to_vector());
        everywhere(scatter([](auto x, auto y) { return max(x, y); }, dest, indices, from(values)));
        everywhere(sum(scatter(std::plus<>{}, dest, indices, from(values))));
    }
}

TEST_CASE("histograms", "[scatter]") {
    for (std::int64_t n : {0, 1, 7, 8, 9, 31, 32, 33, 1000, 70000}) {
        for (std::int64_t bins : {1, 6, 1000}) {
            CAPTURE(n, bins);
            std::vector<std::uint32_t> hx(static_cast<std::size_t>(n));
            std::vector<std::int64_t> expected(static_cast<std::size_t>(bins), 2);
            for (std::size_t i = 0; i < hx.size(); ++i) {
                hx[i] = static_cast<std::uint32_t>((i * 7919) % static_cast<std::size_t>(bins));
                expected[hx[i]] += static_cast<std::int64_t>(i % 5);
            }
            auto weights = map([](auto i) { return i % 5; }, iota(n));
            require_same(expected, everywhere(histogram(bins, std::plus<>{}, 2, from(hx), weights)).to_vector());
        }
    }
    Array<int> rows = from(std::vector<int>{0, 1, 1, 0, 1}), columns = from(std::vector<int>{2, 0, 0, 2, 1});
    auto counts = everywhere(histogram(shape(2, 3), std::plus<>{}, 0, zip(rows, columns), fill(shape(5), 1)));
    REQUIRE(counts.to_vector() == std::vector<int>{0, 0, 2, 2, 1, 0});
}

TEST_CASE("histograms of products", "[scatter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto bins = map([](auto i) { return i % 7; }, iota(n));
        auto values = zip(from(numbers<float>(n)), from(numbers<std::int64_t>(n, 4)));
        auto combine = [](auto p, auto q) {
            auto [a, b] = p;
            auto [c, d] = q;
            return std::tuple(a + c, max(b, d));
        };
        auto [sums, tops] = unzip(histogram(7, combine, std::tuple(0.f, std::int64_t(-9)), bins, values));
        everywhere(sums);
        everywhere(tops);
    }
}

TEST_CASE("permutations", "[scatter]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto hx = numbers<float>(n);
        Array<float> x = from(hx);
        auto reversed = permute(std::plus<>{}, fill(shape(n), 0.f), [=](auto i) { return n - 1 - i; }, x);
        require_same(std::vector<float>(hx.rbegin(), hx.rend()), everywhere(reversed).to_vector());
        auto even = permute(std::plus<>{}, fill(shape(2), 0.f), [](auto i) { return select(i % 2 == 0, 0, -1); }, x);
        everywhere(even);
    }
    Array<std::int32_t, 2> a = from(numbers<std::int32_t>(6), shape(2, 3));
    auto turned = permute(std::plus<>{}, fill(shape(3, 2), 0), [](auto i, auto j) { return std::tuple(j, i); }, a);
    require_same(run(transpose(a)).to_vector(), everywhere(turned).to_vector());
    auto rows = permute(std::plus<>{}, fill(shape(2), 0), [](auto i, auto) { return i; }, a);
    require_same(run(sum(a)).to_vector(), everywhere(rows).to_vector());
}

TEST_CASE("the destination stays as it is", "[scatter]") {
    Array<float> dest = from(numbers<float>(100)), before = from(numbers<float>(100));
    everywhere(scatter(dest, iota(10), fill(shape(10), 7.f)));
    require_same(before.to_vector(), dest.to_vector());
    everywhere(scatter(dest, iota(10), fill(shape(10), 7.f)) + dest);
}

TEST_CASE("elements that several threads could write are whole", "[scatter]") {
    // The last points go backwards through the elements that the first have written, so that threads meet.
    using Long = std::int64_t;
    constexpr Long n = 1 << 18;
    const Array<Long> at = run(generate(shape(n), [](auto i) { return min(i, n - 1 - i); }));
    const auto value = [](auto i) { return std::tuple(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7); };
    const auto none = run(generate(shape(n / 2), [=](auto) { return value(Long{-99}); }));
    const auto values = generate(shape(n), value);
    const auto rows = generate(shape(n / 64, 64), [](auto i, auto j) { return min(i * 64 + j, n - 1 - i * 64 - j); });
    const auto of_rows = generate(shape(n / 64, 64), [=](auto i, auto j) { return value(i * 64 + j); });
    int torn = 0;
    const auto count_torn = [&](const auto& elements) {
        for (const auto& element : elements.to_vector()) {
            const auto [a, b, c, d, e, f, g, h] = element;
            torn += b != a + 1 || c != a + 2 || d != a + 3 || e != a + 4 || f != a + 5 || g != a + 6 || h != a + 7;
        }
    };
    for (int turn = 0; turn < 20; ++turn) {
        count_torn(run(scatter(none, at, values), {.target = Target::host(4)}));
        count_torn(run(scatter(none, rows, of_rows), {.target = Target::host(4)}));
    }
    CHECK(torn == 0);
    // Rows of which no two have elements in common go to several threads.
    const auto own = generate(shape(n / 64, 64), [](auto i, auto j) { return std::tuple(i, j * j % 7); });
    const auto few = run(generate(shape(n / 64, 7), [](auto i, auto) { return std::tuple(i * 64, i * 128); }));
    const auto twice = generate(shape(n / 64, 64), [](auto i, auto j) { return std::tuple(i * 64 + j, (i * 64 + j) * 2); });
    const auto found = run(scatter(few, own, twice), {.target = Target::host(4)}).to_vector();
    for (std::size_t k = 0; k < found.size(); ++k) {
        const auto [a, b] = found[k];
        torn += b != 2 * a || a / 64 != static_cast<Long>(k / 7);
    }
    CHECK(torn == 0);
}

TEST_CASE("values that meet in large arrays arrive in order on any number of threads", "[scatter]") {
    using Long = std::int64_t;
    constexpr Long n = 150001, room = 1 << 20;  // so that they are grouped by ranges of the array
    const auto none = run(generate(shape(room), [](auto i) { return std::tuple(i, cast<double>(i)); }));
    const auto place = [](auto i) { return i * 7919 % 50021 * 20; };
    const auto value = [](auto i) { return std::tuple(i, cast<double>(i) * 0.5); };
    const auto same = [&](const auto& expression) {
        const auto expected = run(expression, {.target = Target::interpreter()}).to_vector();
        for (int threads : {1, 2, 4}) REQUIRE(run(expression, {.target = Target::host(threads)}).to_vector() == expected);
    };
    same(scatter(none, generate(shape(n), place), generate(shape(n), value)));
    const auto few = generate(shape(n), [=](auto i) { return select(i % 5 == 0, Long{-1}, place(i)); });
    same(scatter(none, few, generate(shape(n), value)));
    same(scatter(none, generate(shape(n / 9, 9), [=](auto i, auto j) { return place(i * j); }),
                 generate(shape(n / 9, 9), [=](auto i, auto j) { return value(i * 9 + j); })));
    const auto bad = generate(shape(n), [=](auto i) { return select(i == n - 2, room, place(i)); });
    REQUIRE_THROWS_AS(run(scatter(none, bad, generate(shape(n), value)), {.target = Target::host(4)}), IndexError);
}

TEST_CASE("errors of scatters", "[scatter]") {
    Array<float> x = from(numbers<float>(5));
    REQUIRE_THROWS_AS(scatter(x, iota(4), x), ShapeError);
    for (std::int64_t bad : {5, -2}) {
        auto indices = from(std::vector<std::int64_t>{0, 1, bad});
        auto values = from(std::vector<float>{1, 2, 3});
        for (auto target : {Target::interpreter(), Target::host(1), Target::host(2)}) {
            REQUIRE_THROWS_AS(run(scatter(x, indices, values), {.target = target}), IndexError);
            REQUIRE_THROWS_AS(run(scatter(std::plus<>{}, x, indices, values), {.target = target}), IndexError);
        }
    }
}
