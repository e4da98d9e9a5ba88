// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose states have another extent after an iteration: work lists, halving, doubling.
#include "conform/support.hpp"

#include <tuple>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Long = std::int64_t;

template <class T>
Array<T> some(Long n, int seed = 1) {
    return from(numbers<T>(n, seed));
}

/// The sum by halves: the first half plus the second, an odd last element carried over.
template <class T>
auto halved(const Delayed<T>& a) {
    return while_loop([](Delayed<T> x) { return size(x) > 1; },
                      [](Delayed<T> x) {
                          auto half = size(x) / 2, rest = size(x) - half;
                          return concat(take(x, half) + slice(x, range(rest, size(x))), slice(x, range(half, rest)));
                      },
                      a);
}

}  // namespace

TEMPLATE_TEST_CASE("sums by halves", "[changing_states]", std::int8_t, std::int32_t, std::int64_t, std::uint16_t, float,
                   double) {
    for (Long n : conform::edge_sizes) {
        CAPTURE(n);
        auto x = some<TestType>(n);
        auto all = everywhere(halved<TestType>(x));
        REQUIRE(all.size() == (n > 0 ? 1 : 0));
        if (n > 0) CHECK(all(0) == run(sum(x)).item());
    }
}

TEST_CASE("work lists", "[changing_states]") {
    for (Long n : conform::edge_sizes) {
        CAPTURE(n);
        auto step = [](Delayed<int> list, Exp<Long> done) {
            auto next = filter([](Exp<int> v) { return v > 0; }, list);
            return std::tuple(map([](Exp<int> v) { return v - 1; }, next), done + size(next));
        };
        auto [list, done] =
            while_loop([](Delayed<int> list, Exp<Long>) { return size(list) > 0; }, step, some<int>(n), Long{0});
        CHECK(everywhere(list).size() == 0);
        Long expected = 0;
        for (int v : numbers<int>(n)) expected += std::max(v, 0);
        CHECK(everywhere(done).item() == expected);
    }
}

TEST_CASE("doubled by concatenation", "[changing_states]") {
    for (Long n : {0, 1, 3, 33})
        for (Long times : {0, 1, 5}) {
            CAPTURE(n, times);
            auto twice = [](Exp<Long> i, Delayed<Long> x) { return concat(x, map([=](Exp<Long> v) { return v + i; }, x)); };
            auto all = everywhere(for_loop(times, twice, some<Long>(n)));
            CHECK(all.size() == n << times);
        }
}

TEST_CASE("several states that change together, and one that does not", "[changing_states]") {
    for (Long n : {0, 1, 8, 33, 1000}) {
        CAPTURE(n);
        auto step = [=](Exp<Long> i, Delayed<int> keys, Delayed<float> values, Delayed<float> bins) {
            auto here = map([](Exp<int> key) { return cast<Long>(abs(key)); }, keys);
            auto added = scatter([](auto a, auto b) { return a + b; }, bins, here, values);
            auto left = filter([=](Exp<int> key, Exp<float>) { return key > cast<int>(i); }, zip(keys, values));
            return std::tuple(get<0>(left), get<1>(left) * 0.5f, added);
        };
        auto [keys, values, bins] = for_loop(4, step, some<int>(n), some<float>(n, 2), fill(shape(11), 0.f));
        everywhere(keys);
        everywhere(bins);
        everywhere(map([](Exp<int> k, Exp<float> v) { return cast<float>(k) + v; }, keys, values));
        everywhere(sum(values));
    }
}

TEST_CASE("a state takes over the extent of another", "[changing_states]") {
    for (Long n : {0, 1, 5, 40}) {
        auto step = [](Exp<Long>, auto, auto b, auto c) {
            return std::tuple(b, drop(c, min(size(c), Exp<Long>(3))), b + 1);
        };
        auto [a, b, c] = for_loop(3, step, some<int>(n), some<int>(n + 2), some<int>(n + 7));
        everywhere(a);
        everywhere(b);
        everywhere(c);
    }
}

TEST_CASE("loops in loops whose states change", "[changing_states]") {
    for (Long n : {0, 1, 7, 64}) {
        CAPTURE(n);
        auto inner = [](Exp<Long>, Delayed<int> x) { return filter([](Exp<int> v) { return v % 3 != 0; }, x + 1); };
        auto outer = [=](Exp<Long> i, Delayed<int> x) { return concat(for_loop(i, inner, x), x); };
        everywhere(for_loop(3, outer, some<int>(n)));
        auto sums = [=](Exp<Long> i, Delayed<Long> all) { return concat(all, fill(shape(i), sum(all)())); };
        everywhere(for_loop(4, sums, some<Long>(n)));
    }
}

TEST_CASE("matrices that lose rows and columns", "[changing_states]") {
    for (Long n : {0, 1, 6, 17})
        for (Long m : {0, 2, 9}) {
            CAPTURE(n, m);
            Array<int, 2> a = from(numbers<int>(n * m), shape(n, m));
            auto rows = [](Exp<Long>, Delayed<int, 2> x) {
                return slice(x, range(extent(x, 0) / 2, extent(x, 0)), all) + 1;
            };
            everywhere(for_loop(3, rows, a));
            auto both = [](Exp<Long>, Delayed<int, 2> x) {
                return transpose(slice(x, range(0, (extent(x, 0) + 1) / 2), range(extent(x, 1) / 3, extent(x, 1))));
            };
            everywhere(for_loop(3, both, a));
            everywhere(sum(for_loop(2, both, a), axis(0)));
        }
}

TEST_CASE("loops whose states change in branches and compiled functions", "[changing_states]") {
    auto total = compile([](Delayed<int> x, Delayed<bool, 0> wanted) {
        return cond(wanted, [&] { return sum(halved<int>(x)); }, [&] { return sum(x) * 2; });
    });
    for (Long n : {0, 1, 2, 9, 100}) {
        CAPTURE(n);
        auto x = some<int>(n);
        int expected = run(sum(x)).item();
        CHECK(total(x, run(fill(shape(), true))).item() == expected);
        CHECK(total(x, run(fill(shape(), false))).item() == 2 * expected);
    }
}

TEST_CASE("extents that happen to stay", "[changing_states]") {
    auto same = compile([](Delayed<int> x, Delayed<int> y) {
        return for_loop(
            2, [=](Exp<Long>, Delayed<int> s) { return filter([](Exp<int> v) { return v > -1000; }, s) + y; }, x);
    });
    CHECK(same(some<int>(5), some<int>(5, 2)).size() == 5);
    CHECK_THROWS_AS(same(some<int>(5), some<int>(4, 2)), ShapeError);
}

TEST_CASE("slices whose loops change extents", "[changing_states]") {
    Array<int, 2> a = from(numbers<int>(12), shape(3, 4));
    auto halve = [](Delayed<int> row) { return sum(halved<int>(row)); };
    everywhere(vmap(halve, a));
    auto shared = some<int>(9);
    everywhere(vmap([=](Delayed<int> row) { return row + sum(halved<int>(shared))(); }, a));
}

TEST_CASE("extents that change and are made of themselves", "[changing_states]") {
    auto count = compile([](Delayed<int> x) {
        Exp<Long> n = size(filter([](Exp<int> v) { return v > 0; }, x));
        for (int k = 0; k < 60; ++k) n = min(n + n, Exp<Long>(100 + k));
        return for_loop(
            2, [](Exp<Long>, Delayed<Long> y) { return drop(concat(y, y), min(size(y), Exp<Long>(1))); }, iota(n));
    });
    CHECK(count(some<int>(20)).size() == 4 * 159 - 3);
    CHECK(count(some<int>(0)).size() == 0);
}

TEST_CASE("extents of states that are those of what a loop's branch reads", "[changing_states]") {
    auto positive = [](Delayed<int> x) { return filter([](Exp<int> v) { return v > 0; }, x); };
    auto of = [=](Delayed<int> x, auto last) {
        auto y = positive(x);
        return for_loop(
            3,
            [=](Exp<Long> i, Delayed<int> s) {
                return cond(i < last, [&] { return s + y; }, [&] { return concat(drop(s, 1), take(y, last - i + 1)); });
            },
            x);
    };
    auto program = compile([=](Delayed<int> x, Exp<Long> last) { return of(x, last); });
    const Array<int> all = from({3, 1, 2}), some_of = from({3, -1, 2});
    CHECK(program(all, 3).to_vector() == std::vector{12, 4, 8});
    CHECK(program(all, 2).to_vector() == std::vector{3, 6, 3});
    CHECK_THROWS_AS(program(some_of, 3), ShapeError);
    CHECK(program(all, 1).to_vector() == std::vector{4, 3});
    for (Target target : conform::targets()) CHECK_THROWS_AS(run(of(some_of, Long(3)), {.target = target}), ShapeError);
    CHECK_THROWS_AS(run(of(some_of, Long(3)), {.target = Target::interpreter()}), ShapeError);
    auto of_rows = [=](const Array<int, 2>& a) { return vmap([=](Delayed<int> row) { return sum(of(row, Long(2))); }, a); };
    CHECK(everywhere(of_rows(from({3, 1, 2, 1, 1, 1}, shape(2, 3)))).to_vector() == std::vector{12, 7});
}

TEST_CASE("slices whose states have other extents than what they meet report that first", "[changing_states]") {
    auto longer = [](Array<int, 2> a, Array<int> b, Target target) {
        auto program = compile(
            [](Delayed<int, 2> rows, Delayed<int> y) {
                auto step = [=](Exp<Long>, Delayed<int> s) { return concat(s, s + y); };
                return vmap([=](Delayed<int> row) { return sum(for_loop(2, step, row)); }, rows);
            },
            {.target = target});
        return program(a, b);
    };
    std::vector<Target> targets = conform::targets();
    targets.push_back(Target::interpreter());
    for (Target target : targets) {
        try {
            longer(from(numbers<int>(12), shape(4, 3)), some<int>(4), target);
            FAIL("no error");
        } catch (const ShapeError& error) {
            CHECK_THAT(error.what(), Catch::Contains("extents 3 and 4 differ"));
        }
        CHECK_THROWS_AS(longer(from(numbers<int>(12), shape(4, 3)), some<int>(3), target), ShapeError);
        CHECK(longer(from(numbers<int>(0), shape(0, 3)), some<int>(3), target).size() == 0);
    }
}
