// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrences: any function, every axis, both directions, states of other types than the elements.
#include "conform/support.hpp"

#include <sinter/detail/ranks.hpp>

using namespace sinter;
using namespace conform;

namespace {

/// Neither associative nor commutative, and exact in every number type.
const auto step = [](auto s, auto x) { return x - s; };

/// Which elements of an array of this shape the lines along an axis consist of, in order.
template <class Visit>
void for_each_line(const std::vector<std::int64_t>& extents, std::size_t along, bool from_end, Visit visit) {
    std::int64_t outer = 1, inner = 1;
    const std::int64_t n = extents[along];
    for (std::size_t k = 0; k < along; ++k) outer *= extents[k];
    for (std::size_t k = along + 1; k < extents.size(); ++k) inner *= extents[k];
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            std::vector<std::size_t> line;
            for (std::int64_t k = 0; k < n; ++k)
                line.push_back(static_cast<std::size_t>((o * n + (from_end ? n - 1 - k : k)) * inner + i));
            visit(line);
        }
}

template <class T>
struct States {
    std::vector<T> all, last;
};

template <class T, class F>
States<T> states(const std::vector<T>& x, const std::vector<std::int64_t>& extents, std::size_t along, bool from_end, T init,
                 F f) {
    States<T> result{std::vector<T>(x.size()), {}};
    for_each_line(extents, along, from_end, [&](const std::vector<std::size_t>& line) {
        T s = init;
        for (std::size_t at : line) result.all[at] = s = f(s, x[at]);
        result.last.push_back(s);
    });
    return result;
}

/// Every axis and direction of one array.
template <int Rank, class T>
void along_every_axis(const std::vector<T>& x, const Array<T, Rank>& a, T init) {
    const auto lengths = a.shape();
    const std::vector<std::int64_t> extents(lengths.begin(), lengths.end());
    auto f = [](T s, T e) { return static_cast<T>(e - s); };
    for (int k = 0; k < Rank; ++k) {
        CAPTURE(k);
        const auto along = static_cast<std::size_t>(k);
        const auto forward = states<T>(x, extents, along, false, init, f);
        require_same(forward.all, everywhere(recur(step, init, a, axis(k))).to_vector());
        require_same(forward.last, everywhere(fold_left(step, init, a, axis(k))).to_vector());
        const auto backward = states<T>(x, extents, along, true, init, f);
        require_same(backward.all, everywhere(recur(step, init, a, from_right, axis(k))).to_vector());
        require_same(backward.last, everywhere(fold_left(step, init, a, axis(k), from_right)).to_vector());
    }
}

}  // namespace

TEMPLATE_TEST_CASE("recurrences of every number type", "[recur]", std::int8_t, std::int32_t, std::int64_t, std::uint16_t,
                   float, double) {
    using T = TestType;
    for (auto n : edge_sizes) {
        CAPTURE(n);
        const auto hx = numbers<T>(n);
        along_every_axis<1, T>(hx, from(hx), T(3));
    }
    for (std::int64_t rows : {0, 1, 3, 17, 70})
        for (std::int64_t columns : {0, 1, 5, 33, 130}) {
            CAPTURE(rows, columns);
            const auto hx = numbers<T>(rows * columns);
            along_every_axis<2, T>(hx, from(hx, shape(rows, columns)), T(5));
        }
    const auto hc = numbers<T>(6 * 7 * 9);
    along_every_axis<3, T>(hc, from(hc, shape(6, 7, 9)), T(1));
}

TEST_CASE("recurrences of large arrays", "[recur]") {
    const auto hx = numbers<float>(150 * 3000);
    along_every_axis<2, float>(hx, from(hx, shape(150, 3000)), 2.f);
    along_every_axis<2, float>(hx, from(hx, shape(3000, 150)), 2.f);
    along_every_axis<1, float>(hx, from(hx), 2.f);
}

TEST_CASE("recurrences with conditionals, loops and reads of other arrays", "[recur]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        const auto hx = numbers<std::int32_t>(n);
        Array<std::int32_t> x = from(hx), table = from({5, 7, 1, 9});
        auto f = [&](auto s, auto e) {
            auto read = table(cast<std::int64_t>(s & 3));
            return cond(
                e > 4, [&] { return s * 3 + read; },
                [&] { return for_loop(cast<std::int64_t>(e & 3), [](auto, auto t) { return t * 5 + 1; }, s); });
        };
        auto got = everywhere(recur(f, 1, x)).to_vector();
        const std::int32_t entries[] = {5, 7, 1, 9};
        std::int32_t s = 1;
        for (std::size_t i = 0; i < hx.size(); ++i) {
            if (hx[i] > 4)
                s = static_cast<std::int32_t>(static_cast<std::uint32_t>(s) * 3u +
                                              static_cast<std::uint32_t>(entries[s & 3]));
            else
                for (int k = hx[i] & 3; k > 0; --k) s = static_cast<std::int32_t>(static_cast<std::uint32_t>(s) * 5u + 1u);
            REQUIRE(got[i] == s);
        }
    }
}

TEST_CASE("recurrences with several states and arrays", "[recur]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        const auto ha = numbers<double>(n), hb = numbers<double>(n, 7);
        Array<double> a = from(ha), b = from(hb);
        auto f = [](auto state, auto x, auto y) {
            auto [count, last] = state;
            return std::tuple(count + cast<std::int64_t>(x > last), x - y * last);
        };
        const auto init = std::tuple(std::int64_t{4}, 0.5);
        const auto all = everywhere(recur(f, init, a, b)).to_vector();
        std::int64_t count = 4;
        double last = 0.5;
        for (std::size_t i = 0; i < all.size(); ++i) {
            count += ha[i] > last;
            last = ha[i] - hb[i] * last;
            REQUIRE(all[i] == std::tuple(count, last));
        }
        REQUIRE(everywhere(fold_left(f, init, a, b)).item() == std::tuple(count, last));
        everywhere(get<0>(recur(f, init, a, b, from_right)));
        everywhere(get<1>(fold_left(f, init, a, b, from_right)));
    }
}

TEST_CASE("initial states for every line", "[recur]") {
    for (std::int64_t rows : {0, 1, 7, 40}) {
        CAPTURE(rows);
        const auto hx = numbers<std::int32_t>(rows * 9), hi = numbers<std::int32_t>(rows, 3);
        Array<std::int32_t, 2> x = from(hx, shape(rows, 9));
        Array<std::int32_t> init = from(hi);
        const auto got = everywhere(recur(step, init * 2, x)).to_vector();
        for (std::int64_t r = 0; r < rows; ++r) {
            std::int32_t s = hi[static_cast<std::size_t>(r)] * 2;
            for (std::int64_t i = 0; i < 9; ++i) {
                const auto at = static_cast<std::size_t>(r * 9 + i);
                s = hx[at] - s;
                REQUIRE(got[at] == s);
            }
        }
        everywhere(fold_left(step, init, transpose(x), axis(0), from_right));
        everywhere(recur(step, sum(x), x));
        everywhere(vmap([](Delayed<std::int32_t> row, auto first) { return recur(step, first, row); }, x, init));
    }
    Array<float, 2> x = from(numbers<float>(12), shape(3, 4));
    REQUIRE_THROWS_AS(run(recur(step, from(numbers<float>(4)), x)), ShapeError);
    REQUIRE_THROWS_AS(recur(step, 0.f, x, axis(2)), UsageError);
    REQUIRE_THROWS_AS(recur([](auto s, auto a, auto b) { return s + a + b; }, 0.f, x, transpose(x)), ShapeError);
    auto compiled = compile([](Delayed<float> init, Delayed<float, 2> a) { return recur(step, init, a); });
    REQUIRE(compiled(from(numbers<float>(3)), x).shape() == x.shape());
    REQUIRE_THROWS_AS(compiled(from(numbers<float>(4)), x), ShapeError);
}

TEST_CASE("recurrences with what stands before and after them", "[recur]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        Array<int> x = from(numbers<int>(n)), y = from(numbers<int>(n, 9));
        auto r = recur(step, 0, x * y);
        everywhere(r + x);
        everywhere(sum(r));
        everywhere(recur(step, sum(y), x));
        everywhere(zip(r, recur(step, 2, y), inclusive_scan(std::plus<>{}, x), recur(step, 2, y, from_right)));
        everywhere(recur(step, 1, recur(step, 2, x)));
        everywhere(reverse(r, 0) + r);
        everywhere(map([last = fold_left(step, 0, x)](auto v) { return v + last(); }, r));
    }
}

TEST_CASE("recurrences fuse with maps before and after them", "[recur]") {
    Array<double, 2> x = from(numbers<double>(60), shape(6, 10));
    auto smooth = [](auto s, auto e) { return s + 0.25 * (e - s); };
    auto program = map([](auto v) { return v * v; }, recur(smooth, 0.0, map([](auto v) { return v + 1.0; }, x), axis(0)));
    REQUIRE(explain(program).text().find("1 cluster") != std::string::npos);
}

TEST_CASE("recurrences in vmap", "[recur]") {
    Array<int, 3> c = from(numbers<int>(4 * 5 * 6), shape(4, 5, 6));
    auto inner = everywhere(vmap([](Delayed<int, 2> m) { return recur(step, 1, m, axis(0)); }, c)).to_vector();
    require_same(inner, everywhere(recur(step, 1, c, axis(1))).to_vector());
    auto last = everywhere(vmap([](Delayed<int, 2> m) { return fold_left(step, 1, m); }, c)).to_vector();
    require_same(last, everywhere(fold_left(step, 1, c)).to_vector());
}

TEST_CASE("recurrences that begin as a literal count in the type of their function", "[recur]") {
    using Long = std::int64_t;
    Array<Long> x = from(std::vector<Long>{1'000'000'000, 2'000'000'000, 3'000'000'000});
    auto add = [](auto s, auto v) { return s + v; };
    require_same(everywhere(recur(add, 0, x)).to_vector(), {1'000'000'000, 3'000'000'000, 6'000'000'000});
    REQUIRE(everywhere(fold_left(add, 0, x)).item() == 6'000'000'000);
    REQUIRE(everywhere(fold_left([](auto s, auto v) { return s * 0.5f + v; }, 0, from({1.f, 2.f}))).item() == 2.5f);
    auto both = [](auto s, auto n, auto v) { return std::tuple(s + v, n + 1); };
    auto [sum, count] = unzip(fold_left(both, std::tuple(0, 0), x));
    REQUIRE(everywhere(sum).item() == 6'000'000'000);
    static_assert(std::is_same_v<decltype(count), Delayed<int, 0>>);
    auto [mean, index] = unzip(
        recur([](auto s, auto v) { return std::pair(s.template get<0>() * 0.5 + v, 1); }, std::pair(0, 0), from({1., 2.})));
    require_same(everywhere(mean).to_vector(), {1., 2.5});
    auto [deep, flat] = unzip(recur(
        [](auto s, auto v) {
            return std::tuple(std::tuple(s.template get<0>().template get<0>() + v), s.template get<1>() + 1);
        },
        std::tuple(std::tuple(0), 0), x));
    require_same(everywhere(std::get<0>(unzip(deep))).to_vector(), {1'000'000'000, 3'000'000'000, 6'000'000'000});
    auto last = [](auto s, auto v) { return std::array{cast<Long>(s[1]), v}; };
    auto [older, newer] = unzip(fold_left(last, std::array{0, 0}, x));
    REQUIRE(everywhere(older).item() + everywhere(newer).item() == 5'000'000'000);
    // A state that is given as an array keeps its type, and so does a literal that is as wide.
    static_assert(std::is_same_v<decltype(fold_left(add, fill(shape(), std::int32_t(0)), x)), Delayed<std::int32_t, 0>>);
    static_assert(std::is_same_v<decltype(fold_left(add, 0.0, from({1.f}))), Delayed<double, 0>>);
}

TEST_CASE("recurrences of recurrences are one pass", "[recur]") {
    const auto clusters = [](const auto& e) { return explain(e, {.target = Target::host(1)}).clusters().size(); };
    const auto half = [](auto s, auto x) { return x - s / 2; };
    for (std::int64_t n : {0, 1, 2, 33, 4099}) {
        const Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        const auto once = recur(half, std::int64_t(1), x), twice = recur(step, std::int64_t(2), once * 3 + x);
        CHECK(clusters(twice) == 1);
        const bool shared = detail::rank_count() > 1;  // ranks keep exact folds apart, which they share
        if (n > 1000 && !shared) CHECK(clusters(sum(recur(half, std::int64_t(0), twice - once))) == 1);
        everywhere(twice);
        everywhere(once + twice);
        everywhere(sum(recur(half, std::int64_t(0), twice - once)));
        everywhere(recur(half, std::int64_t(0), reverse(once)));
        everywhere(recur(half, std::int64_t(0), once, from_right));
    }
    const Array<std::int64_t, 2> m = from(numbers<std::int64_t>(7 * 41), shape(7, 41));
    for (int along : {0, 1}) {
        const auto once = recur(half, std::int64_t(1), m, axis(along));
        everywhere(recur(step, std::int64_t(2), once, axis(along)));
        everywhere(recur(step, std::int64_t(2), once, axis(1 - along)));
        everywhere(sum(recur(step, std::int64_t(2), once, axis(along)), axis(along)));
    }
}

TEST_CASE("initial states that lines overwrite", "[recur]") {
    for (std::int64_t lines : {1, 16, 17, 33, 50}) {
        CAPTURE(lines);
        const Array<float, 2> x = from(numbers<float>(3 * lines), shape(3, lines));
        const Array<float, 3> a = from(numbers<float>(3 * lines * 9, 2), shape(std::int64_t(3), lines, std::int64_t(9)));
        const auto halved = [](auto s, auto v) { return v - s * 0.5f; };
        everywhere(for_loop(
            std::int64_t(4), [=](Exp<std::int64_t>, Delayed<float, 2> s) { return fold_left(halved, s, a, axis(2)); }, x));
    }
}
