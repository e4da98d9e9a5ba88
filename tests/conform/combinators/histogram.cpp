// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of arrays of all sizes by many points: in order, in copies that are merged, and partitioned by destination. Every
// number of threads gives the same bits; where the operator is exact these are the interpreter's.
#include "conform/support.hpp"

#include <random>

using namespace sinter;
using namespace conform;

namespace {

const std::vector<int> thread_counts = {1, 2, 4};

/// Positions below `bins`, some of them -1.
std::vector<std::int32_t> places(std::int64_t n, std::int64_t bins, int seed = 3) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<std::int32_t> indices(static_cast<std::size_t>(n));
    for (auto& i : indices)
        i = random() % 50 == 0 || bins == 0 ? -1 : static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(bins));
    return indices;
}

/// The same bits on every number of threads; returns them.
template <class E>
auto on_threads(const E& expression) {
    auto one = run(expression, {.target = Target::host(1)});
    for (int threads : thread_counts) {
        CAPTURE(threads);
        require_same(one.to_vector(), run(expression, {.target = Target::host(threads)}).to_vector());
    }
    return one;
}

template <class E>
void check(const E& expression) {
    auto expected = run(expression, {.target = Target::interpreter()});
    require_same(expected.to_vector(), on_threads(expression).to_vector());
}

template <class T, class Op>
void check_bins(Op op, T init) {
    for (std::int64_t bins : {1, 256, 5000})
        for (std::int64_t n : {0, 1, 3, 4, 5, 1000, 150001}) {
            CAPTURE(bins, n);
            check(histogram(bins, op, init, from(places(n, bins)), from(numbers<T>(n))));
        }
}

}  // namespace

TEMPLATE_TEST_CASE("sums and extremes of bins", "[histogram]", std::int8_t, std::uint16_t, std::int32_t, std::int64_t, float,
                   double) {
    using T = TestType;
    check_bins<T>(std::plus<>{}, T(2));
    check_bins<T>([](auto a, auto b) { return max(a, b); }, T(1));
    check_bins<T>([](auto a, auto b) { return min(a, b); }, T(100));
}

TEST_CASE("logic of bins", "[histogram]") {
    check_bins<bool>([](auto a, auto b) { return a || b; }, false);
    check_bins<bool>([](auto a, auto b) { return a && b; }, true);
    check_bins<std::uint32_t>([](auto a, auto b) { return a ^ b; }, 5u);
}

TEST_CASE("operators of bins without a known neutral element", "[histogram]") {
    check_bins<std::int64_t>([](auto a, auto b) { return a * b + a + b; }, std::int64_t(1));
    const Array<std::int64_t, 0> modulus = run(sum(iota(10)));
    auto add = [=](auto a, auto b) { return (a + b) % modulus(); };
    const std::int64_t n = 70000;
    check(histogram(10, add, std::int64_t(0), from(places(n, 10)), map([](auto i) { return i % 45; }, iota(n))));
}

TEST_CASE("bins of products", "[histogram]") {
    const std::int64_t n = 140000;
    auto combine = [](auto p, auto q) {
        auto [a, b] = p;
        auto [c, d] = q;
        return std::tuple(a + c, max(b, d));
    };
    auto values = zip(from(numbers<float>(n)), from(numbers<std::int8_t>(n, 4)));
    for (std::int64_t bins : {300, 2200000}) {
        CAPTURE(bins);
        auto [sums, tops] = unzip(histogram(bins, combine, std::tuple(0.f, std::int8_t(-9)), from(places(n, bins)), values));
        check(sums);
        check(tops);
    }
}

TEMPLATE_TEST_CASE("arrays larger than the caches", "[histogram]", std::int32_t, double) {
    using T = TestType;
    const std::int64_t bins = (std::int64_t{9} << 20) / static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t n : {std::int64_t{131072}, std::int64_t{600001}}) {
        CAPTURE(n);
        auto indices = from(places(n, bins));
        auto values = from(numbers<T>(n));
        check(histogram(bins, std::plus<>{}, T(0), indices, values));
        check(histogram(bins, [](auto a, auto b) { return a * b + a + b; }, T(0), indices, values));
        auto near = map([](auto i) { return i / 1000; }, indices);  // most of them in few places
        check(histogram(bins, std::plus<>{}, T(0), near, values));
    }
}

TEST_CASE("points and bins of two axes", "[histogram]") {
    for (auto [rows, columns] : {std::pair<std::int64_t, std::int64_t>{3, 70000}, {1000, 200}, {200000, 1}, {1, 150000}}) {
        CAPTURE(rows, columns);
        const std::int64_t n = rows * columns;
        for (std::int64_t side : {10, 1600}) {
            auto down = places(n, side, 5), right = places(n, side, 6);
            for (std::size_t k = 0; k < down.size(); ++k)
                if (down[k] == -1 || right[k] == -1) down[k] = right[k] = -1;
            auto i = from(down, shape(rows, columns)), j = from(right, shape(rows, columns));
            auto dest = fill(shape(side, side), 1);
            check(scatter(std::plus<>{}, dest, zip(i, j), from(numbers<std::int32_t>(n), shape(rows, columns))));
        }
    }
}

TEST_CASE("float sums of bins do not depend on threads", "[histogram]") {
    std::mt19937_64 random(11);
    for (std::int64_t bins : {1, 256, 20000, 2300000}) {
        CAPTURE(bins);
        std::vector<float> values(700000);
        for (float& v : values) v = static_cast<float>(random() % 1000003) * 1e-3f;
        auto sums = histogram(bins, std::plus<>{}, 0.f, from(places(700000, bins)), from(values));
        const double expected = std::accumulate(values.begin(), values.end(), 0.0);
        const auto bits = on_threads(sums).to_vector();
        CHECK(std::accumulate(bits.begin(), bits.end(), 0.0) == Approx(expected * 0.98).epsilon(0.01));
    }
}

TEST_CASE("bins that take long to find", "[histogram]") {
    for (std::int64_t n : {1000, 150001}) {
        CAPTURE(n);
        auto bin = [](auto x) { return cast<std::int64_t>(50.f * (1.f + sin(x) * exp(-abs(cos(x) * 0.1f)))) - 1; };
        auto x = map([](auto i) { return cast<float>(i) * 0.37f; }, iota(n));
        check(histogram(100, std::plus<>{}, 0, map(bin, x), from(numbers<std::int32_t>(n))));
        check(histogram(100, std::plus<>{}, 0.f, map(bin, x), fill(shape(n), 1.f)));
        auto bad = map([=](auto v) { return bin(v) + select(v > 0.37f * 900.f && v < 0.37f * 902.f, 1000, 0); }, x);
        for (int threads : thread_counts)
            REQUIRE_THROWS_AS(
                run(histogram(100, std::plus<>{}, 0.f, bad, fill(shape(n), 1.f)), {.target = Target::host(threads)}),
                IndexError);
    }
    const std::int64_t rows = 300, columns = 700;
    auto x = generate(shape(rows, columns), [](auto i, auto j) { return cast<float>(i * j) * 0.01f; });
    auto bin = [](auto v) { return cast<std::int64_t>(40.f * (1.f + sin(v) * cos(v + 1.f))); };
    check(scatter(std::plus<>{}, fill(shape(90), 0), map(bin, x), fill(shape(rows, columns), 1)));
}

namespace {

/// A permutation of bits: so much to compute that it gets lanes.
inline constexpr auto mixed = [](auto i) {
    auto x = cast<std::uint32_t>(i) * 0x9e3779b9u;
    x = (x ^ (x >> 15)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
};

}  // namespace

TEMPLATE_TEST_CASE("lanes that meet at one element take turns", "[histogram]", std::int8_t, std::uint16_t, std::int32_t,
                   std::int64_t, float, double) {
    using T = TestType;
    auto in_order = [](auto a, auto b) { return a * T(3) + b; };  // neither associative nor commutative
    for (auto n : edge_sizes)
        for (std::int64_t bins : {1, 5, 700}) {
            CAPTURE(n, bins);
            auto places = generate(shape(n), [=](Exp<std::int64_t> i) { return cast<std::int64_t>(mixed(i)) % bins; });
            auto some = map([](auto p, auto i) { return select((mixed(i) & 3u) == 0u, -1, p); }, places, iota(n));
            auto values = generate(shape(n), [](Exp<std::int64_t> i) { return cast<T>(mixed(i + 7) & 3u); });
            check(scatter(in_order, fill(shape(bins), T(1)), places, values));
            check(scatter(in_order, fill(shape(bins), T(1)), some, values));
            check(scatter(fill(shape(bins), T(1)), some, values));
            check(histogram(bins, std::plus<>{}, T(0), some, values));
        }
}

TEST_CASE("lanes that meet: products, truth values, borders, pieces", "[histogram]") {
    for (auto n : edge_sizes) {
        CAPTURE(n);
        auto x = from(std::vector<std::int32_t>(static_cast<std::size_t>(n), 3));
        auto places = generate(shape(n), [](Exp<std::int64_t> i) { return cast<std::int32_t>(mixed(i) % 9u) - 1; });
        auto near_borders = generate(shape(n), [=](Exp<std::int64_t> i) {
            return x(max(i - 1, 0)) + x(min(i + 2, n - 1)) * cast<std::int32_t>(mixed(i) & 7u);
        });
        auto in_pieces = generate(shape(n), [=](Exp<std::int64_t> i) {
            return select(i < n / 3, cast<std::int32_t>(mixed(i) & 15u), cast<std::int32_t>(mixed(i * i) & 7u) - x(i));
        });
        using Both = std::tuple<std::int32_t, bool>;
        auto combine = [](Exp<Both> a, Exp<Both> b) {
            auto [i, p] = a;
            auto [j, q] = b;
            return std::tuple(i * 2 - j, p != q);
        };
        for (const auto& values : {Delayed<std::int32_t>(near_borders), Delayed<std::int32_t>(in_pieces)}) {
            auto odd = map([](auto v) { return (v & 1) == 1; }, values);
            auto [sums, parities] =
                unzip(scatter(combine, zip(fill(shape(8), 1), fill(shape(8), true)), places, zip(values, odd)));
            check(sums);
            check(parities);
        }
    }
}

TEST_CASE("several sums over one set of bins", "[histogram]") {
    for (std::int64_t bins : {1, 10, 5000}) {
        for (std::int64_t n : {0, 1, 33, 100'000}) {
            CAPTURE(bins, n);
            Array<std::int32_t> at = from(places(n, bins)), x = from(numbers<std::int32_t>(n));
            Array<float> y = from(numbers<float>(n));
            auto index = cast<std::int64_t>(at);
            auto sums = histogram(bins, std::plus<>{}, 0, index, x);
            auto counts =
                histogram(bins, std::plus<>{}, std::int64_t{0}, index, map([](auto) { return std::int64_t{1}; }, x));
            auto most = histogram(bins, [](auto a, auto b) { return max(a, b); }, -1000.f, index, y);
            auto squares = histogram(bins, std::plus<>{}, 0, index, map([](auto v) { return v * v; }, x));
            everywhere(sums * squares);
            on_threads(sums * 3 + cast<std::int32_t>(counts) - squares);
            on_threads(select(counts > std::int64_t{1}, most, 0.f));
            auto explanation = explain(std::tuple(sums, counts, most, squares), {.target = Target::host()});
            INFO(explanation.text());
            CHECK(explanation.clusters().size() == 4);  // three arrays to begin with, and one loop over all points
        }
    }
}

TEST_CASE("a bad index among many", "[histogram]") {
    for (std::int64_t bins : {100, 2300000})
        for (std::int64_t n : {1000, 300000}) {
            auto indices = places(n, bins);
            indices[static_cast<std::size_t>(n - 7)] = static_cast<std::int32_t>(bins + 5);
            auto sums = histogram(bins, std::plus<>{}, 0.f, from(indices), fill(shape(n), 1.f));
            for (int threads : thread_counts)
                REQUIRE_THROWS_WITH(run(sums, {.target = Target::host(threads)}),
                                    Catch::Contains(std::to_string(bins + 5)) && Catch::Contains(std::to_string(bins)));
        }
}

TEST_CASE("scatters of many points without an operator", "[histogram]") {
    const std::int64_t n = 300000;
    auto turned = map([=](auto i) { return select(i % 5 == 0, -1, (i * 7) % n); }, iota(n));
    check(scatter(fill(shape(n), -1.f), turned, from(numbers<float>(n))));
    check(permute(std::plus<>{}, fill(shape(n), 0.f), [=](auto i) { return n - 1 - i; }, from(numbers<float>(n))));
}

namespace {

/// Sums that round differently in every order.
template <class Indices>
void require_in_order(Indices indices, std::int64_t rows, std::int64_t columns) {
    std::vector<float> numbers;
    for (std::int64_t k = 0; k < rows * columns; ++k)
        numbers.push_back(static_cast<float>(k * 2654435761 % 100003) / 997.0f);
    const Array<float, 2> values = from(numbers, shape(rows, columns));
    const auto bins = histogram(4, [](auto a, auto b) { return a + b; }, 0.f, map_indexed(indices, values), values);
    const auto expected = run(bins, {.target = Target::interpreter()}).to_vector();
    for (Fusion fusion : {Fusion::none, Fusion::optimal})
        for (int threads : {1, 2})
            REQUIRE(run(bins, {.target = Target::host(threads), .fusion = fusion}).to_vector() == expected);
}

}  // namespace

TEST_CASE("values that all lanes add to one bin are added one after another", "[histogram]") {
    for (std::int64_t columns : {1, 7, 8, 10, 33, 300}) {
        CAPTURE(columns);
        require_in_order([](auto row, auto, auto) { return row % 4; }, 10, columns);
        require_in_order([](auto row, auto, auto) { return row * 0 + 2; }, 10, columns);
    }
}
