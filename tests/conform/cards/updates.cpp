// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of few and of many destinations by few and by many points, as the interpreter does them; of sums that round, the
// same every time.
#include "conform/cards/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

/// Below `bins`, some of them -1; every fourth one the same.
std::vector<std::int32_t> places(std::int64_t n, std::int64_t bins) {
    std::vector<std::int32_t> v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t place = i % 4 == 0 ? bins / 2 : i * 7919 % 100003 % bins;
        v[static_cast<std::size_t>(i)] = i % 50 == 7 ? -1 : static_cast<std::int32_t>(place);
    }
    return v;
}

template <class T, class Op>
void check_bins(Op op, T init) {
    for (std::int64_t bins : {1, 200, 1100, 5000})
        for (std::int64_t n : {0, 1, 1000, 20001}) {
            CAPTURE(bins, n);
            check_on_gpu(histogram(bins, op, init, from(places(n, bins)), from(numbers<T>(n))));
        }
}

}  // namespace

TEMPLATE_TEST_CASE("bins of every number type", "[histogram]", std::int8_t, std::uint16_t, std::int32_t, std::uint32_t,
                   std::int64_t, half, float, double) {
    using T = TestType;
    if (!on_gpu()) return;
    if constexpr (!std::is_same_v<T, half>) check_bins<T>(std::plus<>{}, T(2));
    check_bins<T>([](auto a, auto b) { return max(a, b); }, T(1));
    check_bins<T>([](auto a, auto b) { return select(b < a, b, a); }, T(3));
}

TEST_CASE("bins of truth values and of bits", "[histogram]") {
    if (!on_gpu()) return;
    check_bins<bool>([](auto a, auto b) { return a || b; }, false);
    check_bins<bool>([](auto a, auto b) { return a != b; }, true);
    check_bins<std::uint32_t>([](auto a, auto b) { return a ^ b; }, 5u);
    check_bins<std::int64_t>([](auto a, auto b) { return a * b + a + b; }, std::int64_t(1));
}

TEST_CASE("bins of products on the gpu", "[histogram]") {
    if (!on_gpu()) return;
    auto sums = [](auto p, auto q) {
        auto [a, b] = p;
        auto [c, d] = q;
        return std::tuple(a + c, max(b, d));
    };
    auto first_largest = [](auto p, auto q) {
        auto [a, i] = p;
        auto [b, j] = q;
        auto left = a > b || (a == b && i < j);
        return std::tuple(select(left, a, b), select(left, i, j));
    };
    for (std::int64_t bins : {1, 300}) {
        const std::int64_t n = 20001;
        auto where = from(places(n, bins));
        auto [x, y] = unzip(histogram(bins, sums, std::tuple(0.0, std::int8_t(-9)), where,
                                      zip(from(numbers<double>(n)), from(numbers<std::int8_t>(n, 4)))));
        check_on_gpu(x);
        check_on_gpu(y);
        auto [best, at] = unzip(histogram(bins, first_largest, std::tuple(-100.f, std::int64_t(-1)), where,
                                          zip(from(numbers<float>(n)), iota(n))));
        check_on_gpu(best);
        check_on_gpu(at);
    }
}

TEST_CASE("sums of bins that round have the same bits every time", "[histogram]") {
    if (!on_gpu()) return;
    for (std::int64_t bins : {1, 256, 5000}) {
        CAPTURE(bins);
        const std::int64_t n = 20001;
        const auto sums = histogram(bins, std::plus<>{}, 0.f, from(places(n, bins)), from(fractions(n)));
        check_repeats(sums);
        if (bins == 5000) check_on_gpu(sums);  // one after another
    }
}

TEST_CASE("bins of two axes and bad indices on the gpu", "[histogram]") {
    if (!on_gpu()) return;
    const std::int64_t rows = 3, columns = 7000, n = rows * columns;
    auto i = from(places(n, 10), shape(rows, columns)), j = from(places(n, 7), shape(rows, columns));
    check_on_gpu(scatter(std::plus<>{}, fill(shape(10, 7), 1.f), zip(i, j), from(numbers<float>(n), shape(rows, columns))));
    check_on_gpu(scatter(std::plus<>{}, fill(shape(10, 7), 1), zip(i, j), from(numbers<int>(n), shape(rows, columns))));
    for (std::int64_t bins : {100, 5000}) {
        auto bad = places(n, bins);
        bad[static_cast<std::size_t>(n - 7)] = static_cast<std::int32_t>(bins + 5);
        REQUIRE_THROWS_WITH(run(histogram(bins, std::plus<>{}, 0.f, from(bad), fill(shape(n), 1.f))),
                            Catch::Contains(std::to_string(bins + 5)));
        REQUIRE_THROWS_AS(run(histogram(bins, std::plus<>{}, 0, from(bad), fill(shape(n), 1))), IndexError);
    }
}
