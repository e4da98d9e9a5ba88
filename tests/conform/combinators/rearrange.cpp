// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concatenation, splitting, rotation, padding, computed positions, and updates.
#include "conform/guarded_pages.hpp"
#include "conform/support.hpp"

#include <algorithm>
#include <span>

using namespace sinter;
using namespace conform;

TEST_CASE("concatenation", "[rearrange]") {
    for (auto n : few_sizes) {
        for (std::int64_t m : {0, 1, 9}) {
            CAPTURE(n, m);
            auto hx = numbers<float>(n), hy = numbers<float>(m, 4);
            Array<float> x = from(hx), y = from(hy);
            auto expected = hx;
            expected.insert(expected.end(), hy.begin(), hy.end());
            require_same(expected, everywhere(concat(x, y)).to_vector());
            expected.insert(expected.end(), hx.begin(), hx.end());
            require_same(expected, everywhere(concat(x, y, x, 0)).to_vector());
            everywhere(sum(concat(x * 2.f, y + 1.f)));
            everywhere(concat(filter([](auto v) { return v > 0; }, x), y));
        }
    }
    Array<int, 2> a = from(numbers<int>(6), shape(2, 3)), b = from(numbers<int>(4, 5), shape(2, 2));
    auto wide = everywhere(concat(a, b, axis(1)));
    REQUIRE(wide.shape() == std::array<std::int64_t, 2>{2, 5});
    REQUIRE(wide(1, 3) == b(1, 0));
    REQUIRE_THROWS_AS(concat(a, b, 0), ShapeError);
    everywhere(get<1>(concat(zip(a, a * 2), zip(b, b * 3), 1)));
}

TEST_CASE("splitting", "[rearrange]") {
    Array<float> x = from(numbers<float>(33));
    auto [head, tail] = split(x, 8);
    require_same(numbers<float>(33), everywhere(concat(head, tail)).to_vector());
    Array<float, 2> m = from(numbers<float>(12), shape(3, 4));
    auto [left, right] = split(m, 1, 1);
    REQUIRE(everywhere(left).shape() == std::array<std::int64_t, 2>{3, 1});
    REQUIRE(everywhere(right)(2, 0) == m(2, 1));
    REQUIRE_THROWS_AS(split(x, 34), ShapeError);
}

TEST_CASE("rotation", "[rearrange]") {
    for (auto n : few_sizes) {
        for (std::int64_t k : {0, 1, -1, 5, -1003}) {
            CAPTURE(n, k);
            auto hx = numbers<std::int32_t>(n);
            std::vector<std::int32_t> expected;
            for (std::int64_t i = 0; i < n; ++i) expected.push_back(hx[static_cast<std::size_t>(((i + k) % n + n) % n)]);
            require_same(expected, everywhere(rotate(from(hx), k)).to_vector());
        }
    }
    Array<float, 2> m = from(numbers<float>(12), shape(3, 4));
    REQUIRE(everywhere(rotate(m, 1, 0))(2, 1) == m(0, 1));
    REQUIRE(everywhere(rotate(m, -1, axis(1)))(2, 0) == m(2, 3));
    auto program = compile([](Delayed<float, 2> a, Exp<std::int64_t> k) { return rotate(a, k, 1); });
    for (std::int64_t k : {-5, 0, 2, 9}) require_same(run(rotate(m, k, 1)).to_vector(), program(m, k).to_vector());
}

TEST_CASE("padding", "[rearrange]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto hx = numbers<float>(n);
        auto expected = hx;
        expected.insert(expected.begin(), 2, 9.f);
        expected.push_back(9.f);
        require_same(expected, everywhere(pad(from(hx), {{2, 1}}, 9.f)).to_vector());
    }
    Array<int, 2> a = from(numbers<int>(6), shape(2, 3));
    auto larger = everywhere(pad(a, {{1, 0}, {0, 2}}, 7));
    REQUIRE(larger.shape() == std::array<std::int64_t, 2>{3, 5});
    REQUIRE(larger(0, 0) == 7);
    REQUIRE(larger(1, 2) == a(0, 2));
    everywhere(pad(a, std::array{std::pair{0, 0}, std::pair{3, 3}}, sum(a, axes(0, 1))));
    REQUIRE_THROWS_AS(pad(a, {{1, 0}, {0, -2}}, 7), ShapeError);
}

TEST_CASE("padding by computed widths", "[rearrange]") {
    auto program = compile([](Delayed<float, 2> a, Exp<std::int64_t> before, Exp<std::int32_t> after) {
        return pad(a, {{before, after}, {0, before + 1}}, 9.f);
    });
    Array<float, 2> m = from(numbers<float>(35), shape(5, 7));
    for (std::int64_t before : {0, 1, 17})
        for (std::int32_t after : {0, 3})
            require_same(run(pad(m, {{before, after}, {0, before + 1}}, 9.f)).to_vector(),
                         program(m, before, after).to_vector());
    REQUIRE_THROWS_AS(program(m, -1, 3), ShapeError);
    REQUIRE_THROWS_AS(program(m, 1, -1), ShapeError);
    REQUIRE(program(m, 2, 1).shape() == std::array<std::int64_t, 2>{8, 10});
    std::vector<Target> all = targets();
    all.push_back(Target::interpreter());
    for (const Target& target : all) {
        auto by_counts =
            compile([](Delayed<std::int32_t> x,
                       Delayed<std::int32_t> counts) { return pad(x * 2, {{sum(counts)(), counts(1)}}, 4) + 1; },
                    {.target = target});
        Array<std::int32_t> x = from(numbers<std::int32_t>(6));
        for (std::int32_t wanted : {0, 3, 40})
            require_same(run(pad(x * 2, {{wanted + 1, 1}}, 4) + 1).to_vector(),
                         by_counts(x, from(std::vector<std::int32_t>{wanted, 1})).to_vector());
        REQUIRE_THROWS_AS(by_counts(x, from(std::vector<std::int32_t>{-3, 1})), ShapeError);
        REQUIRE_THROWS_AS(by_counts(x, from(std::vector<std::int32_t>{3, -1})), ShapeError);
    }
}

TEST_CASE("updates", "[rearrange]") {
    for (std::int64_t n : {1, 7, 33, 1000}) {
        CAPTURE(n);
        auto expected = numbers<float>(n);
        Array<float> x = from(expected);
        expected[static_cast<std::size_t>(n - 1)] = 100;
        require_same(expected, everywhere(update(x, index(n - 1), 100.f)).to_vector());
        require_same(numbers<float>(n), x.to_vector());
        auto all_same = everywhere(update(x, range(0, n), 3.f)).to_vector();
        require_same(std::vector<float>(static_cast<std::size_t>(n), 3.f), all_same);
        everywhere(update(x, range(n - 1, -1, -1), x));
    }
    Array<int, 2> a = from(numbers<int>(12), shape(3, 4));
    auto row = everywhere(update(a, 1, all, fill(shape(4), 50)));
    REQUIRE(row(1, 3) == 50);
    REQUIRE(row(0, 3) == a(0, 3));
    auto column = everywhere(update(a, all, 2, iota<int>(3)));
    REQUIRE(column(2, 2) == 2);
    auto block = everywhere(update(a, range(0, 2), range(1, 4, 2), fill(shape(2, 2), 60)));
    REQUIRE(block(1, 3) == 60);
    REQUIRE(block(1, 2) == a(1, 2));
    REQUIRE_THROWS_AS(update(a, range(0, 2), all, fill(shape(3, 4), 0)), ShapeError);
    REQUIRE_THROWS_AS(run(update(a, index(3, 0), 1)), IndexError);
    REQUIRE_THROWS_AS(run(update(a, index(-1, 0), 1)), IndexError);
}

TEST_CASE("updates that give the array up", "[rearrange]") {
    Array<float> x = from(numbers<float>(33)), kept = x;
    x = run(update(std::move(x), index(0), 1.f));
    require_same(numbers<float>(33), kept.to_vector());
    for (int i = 0; i < 5; ++i) x = run(update(std::move(x), index(i), 2.f));
    REQUIRE(x(4) == 2.f);
    REQUIRE(x(5) == kept(5));
    auto step = compile([](Delayed<float> a, Exp<std::int64_t> i, Exp<float> v) { return update(a, index(i), v); });
    REQUIRE(step(kept, 7, 8.f)(7) == 8.f);
}

TEST_CASE("computed positions", "[rearrange]") {
    Array<float, 2> m = from(numbers<float>(12), shape(3, 4));
    auto diagonal = backpermute(shape(3), [](auto i) { return std::tuple(i, i); }, m);
    REQUIRE(everywhere(diagonal)(2) == m(2, 2));
}

TEST_CASE("an index drops its axis", "[rearrange]") {
    const auto m = from(numbers<int>(12), shape(3, 4));
    const auto cube = from(numbers<float>(24), shape(2, 3, 4));
    const auto all_of = [](const auto& a) { return run(a).to_vector(); };
    CHECK(all_of(everywhere(slice(m, 1, all))) == all_of(slice(flatten(m), range(4, 8))));
    CHECK(all_of(everywhere(slice(m, all, 2))) == all_of(everywhere(column(m, 2))));
    CHECK(all_of(everywhere(row(m, 2))) == all_of(slice(flatten(m), range(8, 12))));
    CHECK(run(slice(m, 1, 2)).item() == m(1, 2));
    CHECK(run(everywhere(slice(cube, 1, range(0, 3, 2), 3))).to_vector() ==
          std::vector<float>{cube(1, 0, 3), cube(1, 2, 3)});
    CHECK(run(everywhere(row(cube, 1))).shape() == std::array<std::int64_t, 2>{3, 4});
    CHECK_THROWS_AS(run(slice(m, 3, all)), ShapeError);
    CHECK_THROWS_AS(run(slice(m, -1, all)), ShapeError);
    const auto pick = compile([](Delayed<int, 2> a, Exp<std::int64_t> i) { return row(a, i); });
    CHECK(pick(m, 2).to_vector() == all_of(row(m, 2)));
    CHECK_THROWS_AS(pick(m, 3), ShapeError);
}

TEST_CASE("stacked arrays", "[rearrange]") {
    for (std::int64_t n : {0, 1, 5, 33}) {
        const auto x = from(numbers<float>(n)), y = from(numbers<float>(n, 2));
        const auto both = run(everywhere(stack(x, y, x)));
        CHECK(both.shape() == std::array<std::int64_t, 2>{3, n});
        CHECK(run(row(both, 1)).to_vector() == y.to_vector());
        CHECK(run(row(both, 2)).to_vector() == x.to_vector());
    }
    CHECK(run(everywhere(stack(sum(from({1, 2})), max(from({4, 3}))))).to_vector() == std::vector<int>{3, 4});
    CHECK_THROWS_AS(run(stack(from({1, 2}), from({1}))), ShapeError);
}

namespace {}  // namespace

TEMPLATE_TEST_CASE("every k-th element", "[rearrange]", std::uint8_t, bool, std::int16_t, float, double, std::int64_t) {
    for (std::int64_t n : {1, 2, 7, 33, 64, 65, 130, 259, 1000}) {
        const auto values = numbers<TestType>(n);
        const conform::GuardedPages pages(static_cast<std::size_t>(n) * sizeof(TestType));
        const std::span<TestType> memory = pages.last<TestType>(static_cast<std::size_t>(n));
        std::copy(values.begin(), values.end(), memory.begin());
        const Array<TestType> x = borrow(memory, shape(n));
        for (std::int64_t step : {2, 3, 4, 5})
            for (std::int64_t first = 0; first < std::min(step, n); ++first) {
                CAPTURE(n, step, first);
                std::vector<TestType> expected;
                for (std::int64_t i = first; i < n; i += step) expected.push_back(values[static_cast<std::size_t>(i)]);
                require_same(expected, everywhere(slice(x, range(first, n, step))).to_vector());
            }
        const auto count = n / 3;
        everywhere(generate(shape(count), [=](auto i) { return select(x(3 * i) == x(3 * i + 2), x(3 * i + 1), x(i)); }));
        everywhere(sum(cast<std::int64_t>(slice(x, range(0, n, 4)))));
    }
}

TEMPLATE_TEST_CASE("components of pixels", "[rearrange]", std::uint8_t, std::int16_t, float, double) {
    for (std::int64_t channels : {2, 3, 4, 5}) {
        CAPTURE(channels);
        const std::int64_t n = 300'000;
        const auto values = numbers<TestType>(n * channels);
        const Array<TestType, 2> x = from(values, shape(n, channels));
        const auto mixed = column(x, 0) + column(x, 1) * column(x, channels - 1);
        std::vector<TestType> expected;
        for (std::int64_t i = 0; i < n; ++i) {
            const auto at = [&](std::int64_t k) { return values[static_cast<std::size_t>(i * channels + k)]; };
            expected.push_back(static_cast<TestType>(at(0) + at(1) * at(channels - 1)));
        }
        for (Target target : targets()) {
            require_same(expected, run(mixed, {.target = target}).to_vector());
            // Other extents, for which the same kernel has other code.
            const Array<TestType, 2> wide = from(values, shape(n / 10, channels * 10));
            const auto last = run(column(wide, 0) + column(wide, 1) * column(wide, channels * 10 - 1), {.target = target});
            REQUIRE(last(1) == static_cast<TestType>(values[static_cast<std::size_t>(channels * 10)] +
                                                     values[static_cast<std::size_t>(channels * 10 + 1)] *
                                                         values[static_cast<std::size_t>(channels * 20 - 1)]));
        }
    }
}

TEST_CASE("components that a loop reads whose state shrinks", "[rearrange]") {
    const std::int64_t n = 400'000;
    const auto m = run(generate(shape(n, 3), [](auto i, auto k) { return cast<float>((i * 3 + k) % 7); }));
    const auto shrunk = for_loop(
        30,
        [&](auto, Delayed<float> v) {
            return map_indexed([=](auto i, auto x) { return x + m(i, 0) * m(i, 2); }, drop(v, 1000));
        },
        fill(shape(n), 0.f));
    const auto expected = run(shrunk, {.target = Target::interpreter()}).to_vector();
    for (Target target : targets()) require_same(expected, run(shrunk, {.target = target}).to_vector());
}
