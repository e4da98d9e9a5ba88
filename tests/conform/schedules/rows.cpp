// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several passes over a row in one kernel: folds, then maps and folds of the same row.
#include "conform/support.hpp"

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

const std::vector<std::pair<std::int64_t, std::int64_t>> shapes = {{0, 3},  {3, 0},  {1, 1},  {2, 1},    {5, 7},    {3, 8},
                                                                   {4, 16}, {9, 33}, {2, 65}, {1, 1000}, {100, 129}};

template <class T>
Delayed<T, 2> matrix(std::int64_t rows, std::int64_t columns) {
    return from(numbers<T>(rows * columns), shape(rows, columns));
}

std::size_t clusters(const auto& expression) { return explain(expression).clusters().size(); }

}  // namespace

TEMPLATE_TEST_CASE("elements less the sum of their row", "[rows]", std::int32_t, std::int64_t, std::uint8_t, float, double) {
    for (auto [rows, columns] : shapes) {
        CAPTURE(rows, columns);
        const Delayed<TestType, 2> a = matrix<TestType>(rows, columns);
        auto centred =
            vmap([](Delayed<TestType, 1> row) { return map([s = sum(row)](auto x) { return x - s(); }, row); }, a);
        CHECK(clusters(centred) == 1);
        const auto values = run(a).to_vector();
        auto expected = values;
        for (std::int64_t i = 0; i < rows; ++i) {
            TestType total{};
            for (std::int64_t j = 0; j < columns; ++j)
                total = static_cast<TestType>(total + values[static_cast<std::size_t>(i * columns + j)]);
            for (std::int64_t j = 0; j < columns; ++j) {
                TestType& x = expected[static_cast<std::size_t>(i * columns + j)];
                x = static_cast<TestType>(x - total);
            }
        }
        conform::require_same(expected, everywhere(centred).to_vector());
    }
}

TEST_CASE("a row that is costly to compute is kept between the passes", "[rows]") {
    auto costly = [](auto x) { return (x * 7 + 3) / (abs(x) + 1) * (x % 5 + 6) - (x * x + 1) / 3; };
    for (auto [rows, columns] : shapes) {
        CAPTURE(rows, columns);
        const Delayed<std::int32_t, 2> a = matrix<std::int32_t>(rows, columns);
        auto three = vmap(
            [&](Delayed<std::int32_t, 1> row) {
                auto least = fold([](auto x, auto y) { return min(x, y); }, 1000, row);
                auto values = map([=](auto x) { return costly(x - least()); }, row);
                auto total = sum(values);
                auto again = map([=](auto v) { return costly(v + total()); }, values);
                auto most = fold([](auto x, auto y) { return max(x, y); }, -1000, again);
                return map([=](auto v, auto w) { return w * 3 - v + most(); }, values, again);
            },
            a);
        CHECK(clusters(three) == 1);
        auto expected = run(three, {.target = Target::interpreter(), .fusion = Fusion::none});
        conform::require_same(expected.to_vector(), everywhere(three).to_vector());
    }
    const auto kernels = explain(vmap(
                                     [&](Delayed<std::int32_t, 1> row) {
                                         auto values = map(costly, row);
                                         auto total = sum(values);
                                         return map([=](auto v) { return v - total(); }, values);
                                     },
                                     matrix<std::int32_t>(4, 8)))
                             .kernels();
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].loop_ir.find(" local") != std::string::npos);
}

TEST_CASE("an operator that is not commutative, along several and along outer axes", "[rows]") {
    const std::tuple<std::int64_t, std::int64_t> one{1, 0};
    for (std::vector<std::size_t> reduced : {std::vector<std::size_t>{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}}) {
        CAPTURE(reduced);
        const Delayed<std::int64_t, 3> a = from(numbers<std::int64_t>(5 * 9 * 7), shape(5, 9, 7));
        auto pairs = map([](auto x) { return std::tuple(x, x + 1); }, a);
        std::vector<std::int64_t> kept;
        for (std::int64_t k = 0; k < 3; ++k)
            if (std::find(reduced.begin(), reduced.end(), static_cast<std::size_t>(k)) == reduced.end()) kept.push_back(k);
        if (reduced.size() == 1) {
            auto all = fold(conform::composition, one, pairs, axis(static_cast<std::int64_t>(reduced[0])));
            auto back = broadcast(get<1>(all), shape(5, 9, 7), axes(kept[0], kept[1]));
            auto result = map([](auto x, auto y) { return x * y; }, a, back);
            CHECK(clusters(result) == 1);
            everywhere(result);
        } else {
            auto r0 = static_cast<std::int64_t>(reduced[0]), r1 = static_cast<std::int64_t>(reduced[1]);
            auto all = fold(conform::composition, one, pairs, axes(r0, r1));
            auto back = broadcast(get<1>(all), shape(5, 9, 7), axes(kept[0]));
            auto result = map([](auto x, auto y) { return x * y; }, a, back);
            CHECK(clusters(result) == 1);
            everywhere(result);
        }
    }
}

TEST_CASE("softmax and layer normalisation are near what they are defined to be", "[rows]") {
    for (auto [rows, columns] : shapes) {
        if (rows * columns == 0) continue;
        CAPTURE(rows, columns);
        const Delayed<double, 2> a = matrix<double>(rows, columns);
        auto softmax = vmap(
            [](Delayed<double, 1> row) {
                auto most = max(row);
                auto powers = map([=](auto x) { return exp(x - most()); }, row);
                auto total = sum(powers);
                return map([=](auto p) { return p / total(); }, powers);
            },
            a);
        CHECK(clusters(softmax) == 1);
        const auto values = run(a).to_vector();
        for (int threads : {1, 2}) {
            const auto got = run(softmax, {.target = Target::host(threads)}).to_vector();
            for (std::int64_t i = 0; i < rows; ++i) {
                const auto* row = values.data() + i * columns;
                const double most = *std::max_element(row, row + columns);
                double total = 0;
                for (std::int64_t j = 0; j < columns; ++j) total += std::exp(row[j] - most);
                for (std::int64_t j = 0; j < columns; ++j)
                    REQUIRE(got[static_cast<std::size_t>(i * columns + j)] ==
                            Approx(std::exp(row[j] - most) / total).epsilon(1e-14));
            }
        }
    }
}

TEST_CASE("a row's fold read by its index is fused like one that is repeated", "[rows]") {
    for (auto [rows, columns] : shapes) {
        CAPTURE(rows, columns);
        const Delayed<std::int64_t, 2> a = matrix<std::int64_t>(rows, columns);
        auto totals = sum(a, axis(1));
        auto by_index = map_indexed([=](auto i, auto, auto x) { return x - totals(i); }, a);
        CHECK(clusters(by_index) == 1);
        conform::require_same(
            run(map([](auto x, auto t) { return x - t; }, a, broadcast(totals, shape(rows, columns), axes(0)))).to_vector(),
            everywhere(by_index).to_vector());
        auto doubled = map([](auto x) { return x * 2; }, a);
        auto indexed = map_indexed([=](auto i, auto j, auto x) { return doubled(i, j) * x + i; }, a);
        CHECK(clusters(indexed) == 1);
        everywhere(indexed);
    }
}

// A value of a row was taken for one that is computed anew for each element of a slice of what repeats it.
TEST_CASE("a value of a row is folded with each element of a slice of its columns", "[rows]") {
    using Long = std::int64_t;
    const auto rows_of = [](auto columns_of) {
        return [=](const Delayed<Long, 1>& a, const Delayed<Long, 1>& b) {
            auto row = [=](Exp<Long> i) {
                return for_loop(size(a), [=](Exp<Long> k, Exp<Long> t) { return t * 3 + a(k); }, i);
            };
            const auto each = broadcast(generate(shape(4), row), shape(4, size(b)), axes(0));
            const auto sliced = columns_of(map([](auto x) { return x * 2 + 5; }, each));
            const auto first =
                vmap([](auto r) { return fold([](auto x, auto) { return x; }, Long(4), r)(); }, sliced + Long(1));
            return map_indexed([](Exp<Long> i, Exp<Long> x) { return x * 2 + i; }, first + sum(sliced, axis(1)));
        };
    };
    for (Long n : {0, 1, 2, 5, 33}) {
        CAPTURE(n);
        const Array<Long> a = run(from(numbers<Long>(3))), b = run(from(numbers<Long>(n)));
        conform::compiled_everywhere(rows_of([](const auto& m) { return reverse(m, axis(1)); }), a, b);
        conform::compiled_everywhere(rows_of([](const auto& m) { return slice(m, all, range(0, extent(m, 1), 2)); }), a, b);
    }
}
