// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The branch of a conditional that is not taken: neither executed, nor checked for what could go wrong inside it.
#include "conform/support.hpp"

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

std::vector<Target> all_targets() {
    std::vector<Target> all = conform::targets();
    all.push_back(Target::interpreter());
    return all;
}

std::int64_t total(const std::vector<std::int64_t>& values, std::size_t first, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), std::int64_t{0});
}

}  // namespace

TEST_CASE("a branch guards slices beyond the end", "[branches]") {
    auto first_four = compile([](Array<std::int64_t> a) {
        return cond(size(a) >= 4, [=] { return sum(slice(a, range(0, 4))); }, [=] { return sum(a); });
    });
    for (std::int64_t n : {0, 1, 3, 4, 5, 100}) {
        CAPTURE(n);
        const auto values = numbers<std::int64_t>(n);
        const Array<std::int64_t> a = from(values);
        const std::int64_t expected = total(values, 0, static_cast<std::size_t>(std::min<std::int64_t>(n, 4)));
        REQUIRE(Array<std::int64_t, 0>(first_four(a)).item() == expected);
        const Array<std::int64_t, 0> four = from(std::vector<std::int64_t>{4}, shape());
        auto computed = cond(fill(shape(), n >= 4), [=] { return sum(slice(a, range(0, four()))); }, [=] { return sum(a); });
        for (const Target& target : all_targets()) REQUIRE(run(computed, {.target = target}).item() == expected);
    }
}

TEST_CASE("the branch that is taken is checked", "[branches]") {
    const Array<std::int64_t> a = from(numbers<std::int64_t>(5));
    const Array<std::int64_t, 0> bound = from(std::vector<std::int64_t>{9}, shape());
    auto window = [=](Delayed<bool, 0> taken) {
        return cond(taken, [=] { return sum(slice(a, range(0, bound()))); }, [=] { return sum(a); });
    };
    for (const Target& target : all_targets()) {
        REQUIRE(run(window(fill(shape(), false)), {.target = target}).item() == run(sum(a)).item());
        REQUIRE_THROWS_AS(run(window(fill(shape(), true)), {.target = target}), ShapeError);
    }
    auto both = compile([](Array<std::int64_t> x, Array<bool, 0> taken) {
        auto guarded = cond(taken, [=] { return sum(slice(x, range(0, 9))); }, [=] { return sum(x); });
        return map(std::plus<>{}, guarded, sum(slice(x, range(0, 7))));
    });
    auto call = [&](std::int64_t n, bool taken) {
        return Array<std::int64_t, 0>(
                   both(from(std::vector<std::int64_t>(static_cast<std::size_t>(n), 1)), run(fill(shape(), taken))))
            .item();
    };
    REQUIRE(call(10, true) == 16);
    REQUIRE(call(8, false) == 15);
    REQUIRE_THROWS_AS(call(8, true), ShapeError);
    REQUIRE_THROWS_AS(call(6, false), ShapeError);  // outside of the branch
    REQUIRE(call(7, false) == 14);
}

TEST_CASE("branches in loops and in branches guard", "[branches]") {
    const auto values = numbers<std::int64_t>(10);
    const Array<std::int64_t> a = from(values);
    auto windows = for_loop(
        12,
        [=](Exp<std::int64_t> i, Delayed<std::int64_t, 0> sum_so_far) {
            return cond(
                i + 3 <= size(a),
                [=] {
                    return cond(
                        i >= 2, [=] { return sum_so_far + sum(slice(a, range(i - 2, i + 3))); }, [=] { return sum_so_far; });
                },
                [=] { return sum_so_far; });
        },
        fill(shape(), std::int64_t{0}));
    std::int64_t expected = 0;
    for (std::size_t i = 2; i + 3 <= 10; ++i) expected += total(values, i - 2, 5);
    for (const Target& target : all_targets()) REQUIRE(run(windows, {.target = target}).item() == expected);
}

TEST_CASE("foreign functions and filters of a branch not taken are not executed", "[branches]") {
    const Array<std::int64_t> a = from(numbers<std::int64_t>(50));
    int calls = 0;
    auto copied = foreign("copied", [&](Array<std::int64_t> x) { return ++calls, x; }, a);
    auto program = [=](Delayed<bool, 0> taken) {
        return cond(taken, [=] { return sum(slice(copied, range(0, 20))); }, [=] { return sum(a); });
    };
    for (const Target& target : all_targets()) {
        calls = 0;
        run(program(fill(shape(), false)), {.target = target});
        REQUIRE(calls == 0);
        run(program(fill(shape(), true)), {.target = target});
        REQUIRE(calls == 1);
    }
    auto few = filter([](auto v) { return v > 1000000; }, a);  // keeps none
    auto guarded = [=](Delayed<bool, 0> taken) {
        return cond(taken, [=] { return sum(slice(few, range(0, 20))); }, [=] { return sum(a); });
    };
    for (const Target& target : all_targets()) {
        REQUIRE(run(guarded(fill(shape(), false)), {.target = target}).item() == run(sum(a)).item());
        REQUIRE_THROWS_AS(run(guarded(fill(shape(), true)), {.target = target}), ShapeError);
    }
}

TEST_CASE("branches in functions of slices", "[branches]") {
    const Array<std::int64_t, 2> m = from(numbers<std::int64_t>(30), shape(5, 6));
    const Array<std::int64_t, 0> wide = from(std::vector<std::int64_t>{6}, shape());
    conform::everywhere(vmap(
        [=](auto row) {
            return cond(
                row(0) > 0, [=] { return sum(slice(row, range(0, 3))); }, [=] { return sum(slice(row, range(1, wide()))); });
        },
        m));
}

// Sides that return different extents.

TEST_CASE("the sides of a cond may have different extents", "[branches]") {
    for (std::int64_t n : conform::few_sizes) {
        CAPTURE(n);
        const Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        const auto values = x.to_vector();
        for (bool taken : {true, false}) {
            auto halves = cond(fill(shape(), taken), [=] { return take(x, n / 2) * 2; }, [=] { return concat(x, x); });
            const auto result = everywhere(halves);
            REQUIRE(result.size() == (taken ? n / 2 : 2 * n));
            for (std::int64_t k = 0; k < result.size(); ++k)
                REQUIRE(result(k) ==
                        (taken ? 2 * values[static_cast<std::size_t>(k)] : values[static_cast<std::size_t>(k % n)]));
            auto kept =
                cond(fill(shape(), taken), [=] { return filter([](auto v) { return v % 3 == 0; }, x); }, [=] { return x; });
            everywhere(kept);
            everywhere(sum(kept * kept));
        }
    }
}

TEST_CASE("results with the same, with different extents, and scalars, of one cond", "[branches]") {
    auto step = compile([](Delayed<float, 2> m, Delayed<float> v, Exp<bool> taken) {
        auto [a, b, c, d] = cond(
            taken, [=] { return std::tuple(m + 1.f, slice(m, range(0, 1), all), sum(v), v); },
            [=] { return std::tuple(m * 2.f, m, fill(shape(), 7.f), flatten(m)); });
        return std::tuple(a, b, c, d, extent(b, 0), size(d));
    });
    const Array<float, 2> m = from({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, shape(3, 2));
    const Array<float> v = from({1.f, 2.f});
    auto [a, b, c, d, rows, count] = step(m, v, true);
    CHECK(a.to_vector() == std::vector<float>{2, 3, 4, 5, 6, 7});
    CHECK(b.to_vector() == std::vector<float>{1, 2});
    CHECK(c.item() == 3);
    CHECK(d.to_vector() == v.to_vector());
    CHECK((rows == 1 && count == 2));
    auto [a2, b2, c2, d2, rows2, count2] = step(m, v, false);
    CHECK(a2.to_vector() == std::vector<float>{2, 4, 6, 8, 10, 12});
    CHECK(b2.shape() == std::array<std::int64_t, 2>{3, 2});
    CHECK(c2.item() == 7);
    CHECK(d2.size() == 6);
    CHECK((rows2 == 3 && count2 == 6));
}

TEST_CASE("only the side that is taken is executed and checked, whatever their extents", "[branches]") {
    const Array<std::int64_t> x = from(numbers<std::int64_t>(5));
    const Array<std::int64_t, 0> bound = from(std::vector<std::int64_t>{9}, shape());
    auto window = [=](bool taken) {
        return cond(
            fill(shape(), taken), [=] { return slice(x, range(0, bound())); },
            [=] { return filter([](auto v) { return 10 / (v * 0 + 1) > 0; }, x); });
    };
    auto divided = [=](bool taken) {
        return cond(
            fill(shape(), taken), [=] { return map([](auto v) { return v / (v * 0); }, take(x, 2)); }, [=] { return x; });
    };
    for (const Target& target : all_targets()) {
        REQUIRE(run(window(false), {.target = target}).to_vector() == x.to_vector());
        REQUIRE_THROWS_AS(run(window(true), {.target = target}), ShapeError);
        REQUIRE(run(divided(false), {.target = target}).to_vector() == x.to_vector());
        REQUIRE_THROWS_AS(run(divided(true), {.target = target}), DomainError);
    }
}

TEST_CASE("conds of different extents within each other, in loops and in slices", "[branches]") {
    for (std::int64_t n : {0, 1, 2, 9, 1000}) {
        CAPTURE(n);
        const Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        auto shrink = [](Exp<std::int64_t> i, Delayed<std::int64_t> a) {
            return cond(
                i % 2 == 0, [=] { return take(a, (size(a) + 1) / 2); },
                [=] {
                    return cond(
                        i % 3 == 0, [=] { return filter([](auto v) { return v % 2 == 0; }, a); },
                        [=] { return concat(a, reverse(take(a, size(a) / 2))); });
                });
        };
        everywhere(for_loop(6, shrink, x));
        everywhere(vmap(
            [=](Exp<std::int64_t> i) {
                return sum(cond(i % 2 == 0, [=] { return take(x, min(i, size(x))); }, [=] { return x + i; }));
            },
            iota(7)));
    }
}
