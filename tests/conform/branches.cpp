// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The branch of a conditional that is not taken: neither executed, nor checked for what could go wrong inside it.
#include "support.hpp"

using namespace sinter;
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
