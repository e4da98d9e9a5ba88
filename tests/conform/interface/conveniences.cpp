// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single elements in concat, reductions that keep the shape, elements outside of a destination, states that widen, runs of
// many results with options.
#include "conform/support.hpp"

using namespace sinter;

TEST_CASE("concat joins single elements and arrays", "[concat]") {
    for (std::int64_t n : conform::edge_sizes) {
        auto x = cast<float>(iota(n));
        auto joined = conform::everywhere(concat(-1.f, x, 3.f, x, sum(x))).to_vector();
        REQUIRE(joined.size() == static_cast<std::size_t>(2 * n + 3));
        CHECK(joined.front() == -1.f);
        CHECK(joined[static_cast<std::size_t>(n) + 1] == 3.f);
        CHECK(joined.back() == run(sum(x)).item());
    }
    Array<std::int64_t> i = from(std::vector<std::int64_t>{1, 2});
    CHECK(run(concat(i, 7, axis(0))).to_vector() == std::vector<std::int64_t>{1, 2, 7});
    CHECK(run(concat(0, i)).to_vector() == std::vector<std::int64_t>{0, 1, 2});
    CHECK(run(concat(-1, i, 9, axis(0))).to_vector() == std::vector<std::int64_t>{-1, 1, 2, 9});
    CHECK(run(concat(-1, i, axis(0))).to_vector() == std::vector<std::int64_t>{-1, 1, 2});
    CHECK(run(concat(i, i, 0)).to_vector() == std::vector<std::int64_t>{1, 2, 1, 2});
    CHECK(run(concat(i, sum(i))).to_vector() == std::vector<std::int64_t>{1, 2, 3});
    CHECK(run(concat(sum(i), i, i)).to_vector() == std::vector<std::int64_t>{3, 1, 2, 1, 2});
    CHECK(run(concat(sum(i), i, max(i), axis(0))).to_vector() == std::vector<std::int64_t>{3, 1, 2, 2});
    CHECK_THROWS_AS(concat(i, i, 3), UsageError);  // an axis
    CHECK(run(concat(i, axis(0))).to_vector() == std::vector<std::int64_t>{1, 2});
    auto extended = compile([](Delayed<double> x, Exp<double> last) { return concat(x, last); });
    CHECK(extended(from({1., 2.}), 5.).to_vector() == std::vector<double>{1, 2, 5});
}

TEST_CASE("reductions that keep the shape", "[reduce]") {
    for (std::int64_t rows : {1, 3, 64}) {
        for (std::int64_t columns : {1, 5, 129}) {
            Array<double, 2> m =
                run(generate(shape(rows, columns), [](auto i, auto j) { return cast<double>(i * 7 - j * j); }));
            auto centred = conform::everywhere(m - mean(m, axis(1), keep));
            auto by_hand = run(m - broadcast(mean(m, axis(1)), shape(rows, columns), axes(0)));
            CHECK(centred.to_vector() == by_hand.to_vector());
            auto scaled = conform::everywhere(m / sum(m, axis(0), keep));
            auto scaled_by_hand = run(m / broadcast(sum(m, axis(0)), shape(rows, columns), axes(1)));
            conform::require_same(scaled_by_hand.to_vector(), scaled.to_vector());
            CHECK(run(all(flatten(m <= max(m, axes(0, 1), keep)))).item());
            CHECK(run(m - min(m, keep)).shape() == m.shape());
            CHECK(run(sum(flatten(cast<int>(m == max(m, keep))))).item() >= rows);
        }
    }
    Array<double, 2> m = from({1., 2., 3., 6.}, shape(2, 2));
    auto softmax = compile([](Delayed<double, 2> x) {
        auto e = exp(x - max(x, keep));
        return e / sum(e, keep);
    });
    CHECK(softmax(m)(0, 0) + softmax(m)(0, 1) == Approx(1));
    CHECK(run(count(m > 1.5, axis(0), keep)).to_vector() == std::vector<std::int64_t>{1, 2, 1, 2});
    CHECK(run(argmax(m, axis(-1), keep)).to_vector() == std::vector<std::int64_t>{1, 1, 1, 1});
    CHECK_THROWS_AS(mean(m, axis(2), keep), UsageError);
}

TEST_CASE("elements outside of a destination", "[scatter]") {
    Array<float> dest = from({0.f, 0.f, 0.f});
    Array<int> index = from({-5, 0, 3, 2, 1000000});
    Array<float> value = from({1.f, 2.f, 4.f, 8.f, 16.f});
    auto plus = [](auto x, auto y) { return x + y; };
    CHECK(conform::everywhere(scatter(dest, index, value, Outside::drop)).to_vector() == std::vector<float>{2, 0, 8});
    CHECK(conform::everywhere(scatter(plus, dest, index, value, Outside::drop)).to_vector() == std::vector<float>{2, 0, 8});
    CHECK(conform::everywhere(scatter(plus, dest, index, value, Outside::clamp)).to_vector() ==
          std::vector<float>{3, 0, 28});
    CHECK(conform::everywhere(histogram(3, plus, 1.f, index, value, Outside::clamp)).to_vector() ==
          std::vector<float>{4, 1, 29});
    CHECK_THROWS_AS(run(histogram(3, plus, 1.f, index, value, Outside::error)), IndexError);
    CHECK_THROWS_AS(run(scatter(dest, index, value, Outside::error)), IndexError);
    Array<int> minus = from({-1, 1, 1, -1, 2});
    CHECK(conform::everywhere(histogram(3, plus, 0.f, minus, value, Outside::error)).to_vector() ==
          std::vector<float>{0, 6, 16});
    CHECK(conform::everywhere(histogram(3, plus, 0.f, minus, value, Outside::clamp)).to_vector() ==
          std::vector<float>{9, 6, 16});
    Array<float, 2> square = run(fill(shape(2, 2), 0.f));
    auto pairs = zip(index, from({0, 1, 1, -3, 0}));
    CHECK(conform::everywhere(scatter(plus, square, pairs, value, Outside::drop)).to_vector() ==
          std::vector<float>{0, 2, 0, 0});
    CHECK(conform::everywhere(scatter(plus, square, pairs, value, Outside::clamp)).to_vector() ==
          std::vector<float>{1, 2, 24, 4});
    Array<float> none = from(std::vector<float>{});
    CHECK(conform::everywhere(scatter(plus, none, index, value, Outside::drop)).size() == 0);
}

TEST_CASE("a state that begins as a literal is as wide as the body makes it", "[loops]") {
    auto large =
        map([](auto x) { return for_loop(40, [&](auto, auto s) { return s + cast<std::int64_t>(x) * 1000000000; }, 0); },
            from({1, 2}));
    static_assert(std::is_same_v<element_t<decltype(large)>, std::int64_t>);
    CHECK(conform::everywhere(large).to_vector() == std::vector<std::int64_t>{40000000000, 80000000000});
    auto both = map(
        [](auto x) {
            auto [k, s] = while_loop([](auto k, auto) { return k < 3; },
                                     [&](auto k, auto s) { return std::tuple(k + 1, s + cast<double>(x) * 0.1); }, 0, 0);
            static_assert(std::is_same_v<decltype(k), Exp<int>> && std::is_same_v<decltype(s), Exp<double>>);
            return s;
        },
        from({1.f, 2.f}));
    CHECK(conform::everywhere(both).to_vector()[1] == Approx(0.6));
    Array<std::int64_t> a = from(std::vector<std::int64_t>{1000000000, 2000000000});
    auto [sum_of, v] = for_loop(3, [](auto, auto s, auto x) { return std::tuple(s + sum(x)(), x); }, 0, a);
    static_assert(std::is_same_v<element_t<decltype(sum_of)>, std::int64_t>);
    CHECK(run(sum_of).item() == 9000000000);
    auto kept = map([](auto x) { return for_loop(3, [&](auto, auto s) { return s + x; }, 0.); }, from({1.f}));
    static_assert(std::is_same_v<element_t<decltype(kept)>, double>);
    CHECK(run(kept)(0) == 3.0);
}

TEST_CASE("run of many results with options", "[run]") {
    Array<float> x = from({1.f, 2.f});
    const Options options{.target = Target::interpreter()};
    auto [a, b, c, d] = run(x + 1.f, x + 2.f, x + 3.f, x + 4.f, {.target = Target::interpreter()});
    CHECK(d(0) == 5.f);
    auto [e, f, g, h, i, j, k, l] = run(x, x, x, x, x, x, sum(x), x * 8.f, {.target = Target::host(1)});
    CHECK(k.item() == 3.f);
    CHECK(l(1) == 16.f);
    auto many = run(x, x, x, x, x, x, x, x, x, x, x, x * 12.f, options);
    static_assert(std::tuple_size_v<decltype(many)> == 12);
    CHECK(std::get<11>(many)(1) == 24.f);
    CHECK(std::get<4>(run(x, x, x, x, sum(x), options)).item() == 3.f);
}
