// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ functions inside the graph.
#include "conform/support.hpp"

#include <stdexcept>

using namespace sinter;
using namespace conform;

namespace {

Array<float> halves(const Array<float>& x) {
    auto v = x.to_vector();
    for (float& one : v) one /= 2;
    v.resize(v.size() / 2);
    return from(v);
}

}  // namespace

TEST_CASE("functions of arrays", "[foreign]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto hx = numbers<float>(n);
        Array<float> x = from(hx);
        auto expected = halves(from(hx)).to_vector();
        require_same(expected, everywhere(foreign("halves", halves, x)).to_vector());
        everywhere(foreign("halves", halves, x * 2.f) + 1.f);
        everywhere(sum(foreign("halves", halves, x)));
        float factor = static_cast<float>(n);
        auto scale = [factor](const Array<float>& a) {
            auto v = a.to_vector();
            for (float& one : v) one *= factor;
            return from(v);
        };
        everywhere(foreign("scale", scale, foreign("halves", halves, x)));
    }
}

TEST_CASE("several arguments and results, products and ranks", "[foreign]") {
    using Pair = std::tuple<std::int32_t, double>;
    Array<Pair> pairs = from(std::vector<Pair>{{1, 2.5}, {3, 4.5}});
    Array<float, 2> m = from(numbers<float>(6), shape(2, 3));
    auto swap = [](const Array<float, 2>& a, const Array<Pair>& p) { return std::tuple(p, a, from({1.f, 2.f})); };
    auto [p, a, c] = foreign("swap", swap, m, pairs);
    REQUIRE(everywhere(p).to_vector() == pairs.to_vector());
    require_same(run(transpose(m)).to_vector(), everywhere(transpose(a)).to_vector());
    REQUIRE(everywhere(c).size() == 2);
}

TEST_CASE("what a foreign function throws", "[foreign]") {
    auto fails = [](const Array<float>&) -> Array<float> { throw std::runtime_error("no"); };
    REQUIRE_THROWS_WITH(run(foreign("fails", fails, from(numbers<float>(3)))), Catch::Contains("no"));
}

TEST_CASE("functions of slices are called for each slice", "[foreign][vmap]") {
    const Array<float, 2> m = from(numbers<float>(15), shape(3, 5));
    int calls = 0;
    auto total = [&calls](const Array<float>& row) {
        ++calls;
        return run(sum(row));
    };
    const auto sums = vmap([&](Delayed<float> row) { return foreign("total", total, row * 2.f)() + row(0); }, m);
    CHECK(run(sums).to_vector() == run(sum(m * 2.f) + slice(m, all, 0)).to_vector());
    CHECK(calls == 3);
    require_same(run(sums).to_vector(), everywhere(sums).to_vector());
    // Where the shape is known, what is around it is executed for all slices at once.
    auto turned = [](const Array<float>& row) { return run(reverse(row)); };
    auto turn = [&](Delayed<float> row) { return reshape(foreign("turned", turned, row), shape(extent(row, 0))) + row; };
    CHECK(everywhere(vmap(turn, m)).to_vector() == run(reverse(m) + m).to_vector());
    CHECK(
        everywhere(vmap([&](Delayed<float, 2> each) { return vmap(turn, each); }, reshape(m, shape(1, 3, 5)))).to_vector() ==
        run(reverse(m) + m).to_vector());
    auto wrong = [](const Array<float>& row) { return run(take(row, 2)); };
    auto keeps = [&](Delayed<float> row) { return reshape(foreign("wrong", wrong, row), shape(extent(row, 0))); };
    CHECK_THROWS_AS(run(vmap(keeps, m)), ShapeError);
    auto branches = [&](Delayed<float> row) {
        return cond(row(0) > 0.f, [&] { return foreign("turned", turned, row); }, [&] { return row; });
    };
    auto selected = [](Delayed<float> row) {
        return map([=](auto x, auto y) { return select(row(0) > 0.f, y, x); }, row, reverse(row));
    };
    CHECK(everywhere(vmap(branches, m)).to_vector() == run(vmap(selected, m)).to_vector());
    // Not where it does not depend on the slice: then it is called once.
    calls = 0;
    run(vmap([&](Exp<float> x) { return x * foreign("total", total, from({1.f, 2.f}))(); }, from({1.f, 2.f, 3.f})));
    CHECK(calls == 1);
}

TEST_CASE("what functions return of slices is a result of these", "[foreign][vmap]") {
    int calls = 0;
    auto end = [&calls](const Array<float>& row) {
        ++calls;
        return run(take(reverse(row), 3));
    };
    auto ends = [&](Delayed<float> row) { return foreign("end", end, row) * 2.f; };
    for (std::int64_t rows : {1, 2, 7}) {
        const Array<float, 2> m = from(numbers<float>(rows * 5), shape(rows, 5));
        const auto expected = run(take(reverse(m, 1), 3, axis(1)) * 2.f);
        calls = 0;
        require_same(expected.to_vector(), run(vmap(ends, m)).to_vector());
        CHECK(calls == rows);
        require_same(expected.to_vector(), everywhere(vmap(ends, m)).to_vector());
        require_same(expected.to_vector(), everywhere(vmap([&](Delayed<float, 2> each) { return vmap(ends, each); },
                                                           reshape(m, shape(1, rows, 5))))
                                               .to_vector());
        auto several = compile([&](Delayed<float, 2> a) {
            return vmap(
                [&](Delayed<float> row) {
                    const auto part = foreign("end", end, row);
                    return std::tuple(concat(part, row, axis(0)), sum(part), zip(part, part));
                },
                a);
        });
        const auto [joined, sums, pairs] = several(m);
        CHECK(joined.shape() == std::array<std::int64_t, 2>{rows, 8});
        require_same(run(sum(take(reverse(m, 1), 3, axis(1)), axis(1))).to_vector(), sums.to_vector());
        CHECK(pairs.shape() == std::array<std::int64_t, 2>{rows, 3});
        // Without slices, a slice of zeros decides.
        CHECK(std::get<0>(several(run(take(m, 0)))).shape() == std::array<std::int64_t, 2>{0, 8});
        const auto fives = vmap([&](Exp<float> x) { return foreign("end", end, fill(shape(5), x)); }, row(m, 0));
        CHECK(everywhere(fives).shape() == std::array<std::int64_t, 2>{5, 3});
    }
}

TEST_CASE("results of slices that have different shapes only when they are there", "[foreign][vmap]") {
    const Array<float, 2> m = from(numbers<float>(15), shape(3, 5));
    auto positive = [](const Array<float>& row) { return run(filter([](auto v) { return v >= 0.f; }, row)); };
    const auto rows = vmap([&](Delayed<float> row) { return foreign("positive", positive, row); }, m);
    for (Target target : {targets()[0], Target::interpreter()})
        CHECK_THROWS_WITH(run(rows, {.target = target}), Catch::Contains("vmap, results of two slices"));
    auto square = [](const Array<float>& row) { return run(broadcast(row, shape(2, 5), axis(1))); };
    auto twice = [&](Delayed<float> row) { return foreign("square", square, row); };
    CHECK(everywhere(vmap(twice, m)).shape() == std::array<std::int64_t, 3>{3, 2, 5});
}

TEST_CASE("what functions return in branches and loops of slices is a result of these", "[foreign][vmap]") {
    auto twice = [](const Array<float>& a) { return run(a * 2.f); };
    auto longer = [](const Array<float>& a) { return run(concat(a, take(a, 1))); };
    auto last = [](const Array<float>& a) { return run(drop(a, 1)); };
    auto shorter = [=](Delayed<float> row) { return foreign("last", last, row); };
    for (std::int64_t rows : {1, 4}) {
        const Array<float, 2> m = from(numbers<float>(rows * 5), shape(rows, 5));
        auto in_branch = [=](Delayed<float> row) {
            return cond(row(0) > 0.f, [&] { return foreign("twice", twice, row); }, [&] { return row; });
        };
        const auto expected = vmap([](Delayed<float> row) { return row * select(row(0) > 0.f, 2.f, 1.f); }, m);
        require_same(run(expected).to_vector(), everywhere(vmap(in_branch, m)).to_vector());
        auto in_both = [=](Delayed<float> row) {
            return cond(row(0) > 0.f, [&] { return shorter(row); }, [&] { return shorter(row * 3.f); });
        };
        CHECK(everywhere(vmap(in_both, m)).shape() == std::array<std::int64_t, 2>{rows, 4});
        auto in_loop = [=](Delayed<float> row) {
            return for_loop(3, [=](Exp<std::int64_t>, Delayed<float> s) { return foreign("twice", twice, s); }, row);
        };
        require_same(run(m * 8.f).to_vector(), everywhere(vmap(in_loop, m)).to_vector());
        auto growing = [=](Delayed<float> row) {
            return for_loop(3, [=](Exp<std::int64_t>, Delayed<float> s) { return foreign("longer", longer, s); }, row);
        };
        const auto first = slice(m, all, range(0, 1));
        require_same(run(concat(m, first, first, first, axis(1))).to_vector(), everywhere(vmap(growing, m)).to_vector());
        auto while_small = [=](Delayed<float> row) {
            return while_loop([](Delayed<float> s) { return sum(abs(s))() < 1000.f; },
                              [=](Delayed<float> s) { return foreign("twice", twice, s + 1.f); }, row);
        };
        CHECK(everywhere(vmap(while_small, m)).shape() == std::array<std::int64_t, 2>{rows, 5});
        auto branch_in_loop = compile([=](Delayed<float, 2> a, Exp<std::int64_t> n) {
            auto step = [=](Exp<std::int64_t> i, Delayed<float> s) {
                return cond(i % 2 == 0, [&] { return foreign("twice", twice, s); }, [&] { return s; });
            };
            return vmap([=](Delayed<float> row) { return std::tuple(for_loop(n, step, row), sum(row)); }, a);
        });
        require_same(run(m * 4.f).to_vector(), std::get<0>(branch_in_loop(m, 3)).to_vector());
        require_same(m.to_vector(), std::get<0>(branch_in_loop(m, 0)).to_vector());
    }
}
