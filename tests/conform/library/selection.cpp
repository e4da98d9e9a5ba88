// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection: quantiles, the greatest elements, partitions, against sorted copies.
#include <sinter/numeric.hpp>

#include "conform/support.hpp"

#include <algorithm>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;

template <class T>
std::vector<T> mixed(Long n) {
    std::vector<T> v;
    for (Long i = 0; i < n; ++i)
        v.push_back(static_cast<T>((i * 7919 + 13) % 101) - static_cast<T>(std::is_signed_v<T> ? 50 : 0));
    return v;
}

template <class T>
void check_top(Long n, Long k) {
    CAPTURE(n, k);
    const std::vector<T> v = mixed<T>(n);
    std::vector<Long> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    auto at = [&](Long i) { return v[static_cast<std::size_t>(i)]; };
    std::stable_sort(order.begin(), order.end(), [&](Long a, Long b) { return at(a) > at(b); });
    order.resize(static_cast<std::size_t>(k));
    auto [values, indices] = top_k(from(v), k);
    CHECK(run(everywhere(indices)).to_vector() == order);
    std::vector<T> expected;
    for (Long i : order) expected.push_back(at(i));
    CHECK(run(values).to_vector() == expected);
}

}  // namespace

TEST_CASE("the greatest elements", "[selection]") {
    for (Long n : {1, 7, 300}) {
        check_top<float>(n, 1);
        check_top<double>(n, std::min<Long>(n, 5));
        check_top<int>(n, n);
        check_top<std::uint64_t>(n, n / 2);
        check_top<std::int8_t>(n, 0);
    }
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    auto [values, indices] = top_k(from(std::vector<float>{1, nan, 3, -0.f, 0.f}), 2);
    CHECK(run(indices).to_vector() == std::vector<Long>{1, 2});
    CHECK_THROWS_AS(run(std::get<0>(top_k(from(std::vector<float>{1, 2}), 3))), ShapeError);
    auto [rows, places] = top_k(from(mixed<float>(60), shape(6, 10)), 3);
    CHECK(run(everywhere(rows)).shape() == std::array<Long, 2>{6, 3});
    for (Long i = 0; i < 6; ++i) {
        std::vector<float> line(10);
        for (Long j = 0; j < 10; ++j)
            line[static_cast<std::size_t>(j)] = mixed<float>(60)[static_cast<std::size_t>(10 * i + j)];
        std::sort(line.begin(), line.end(), std::greater<>());
        for (Long j = 0; j < 3; ++j) CHECK(run(rows)(i, j) == line[static_cast<std::size_t>(j)]);
    }
}

TEST_CASE("quantiles", "[selection]") {
    // Lines of up to 256 elements are sorted.
    for (Long n : {1, 2, 9, 256, 257, 1000}) {
        std::vector<double> v = mixed<double>(n), sorted = v;
        std::sort(sorted.begin(), sorted.end());
        for (double q : {0.0, 0.1, 0.5, 0.75, 1.0}) {
            CAPTURE(n, q);
            const double at = q * static_cast<double>(n - 1);
            const auto low = static_cast<std::size_t>(at);
            const double part = at - static_cast<double>(low);
            const double next = sorted[std::min(low + 1, sorted.size() - 1)];
            CHECK(run(everywhere(quantile(from(v), q))).item() == Approx(sorted[low] + (next - sorted[low]) * part));
        }
    }
    CHECK(run(median(from(std::vector<int>{4, 1, 3, 2}))).item() == 2.5);
    CHECK(std::isnan(run(median(from(std::vector<float>{}))).item()));
    CHECK(std::isnan(run(median(from(std::vector<float>{1, std::nanf(""), 2}))).item()));
    CHECK(run(median(from(std::vector<float>{3, 1, 2, 6, 4, 5}, shape(2, 3)))).to_vector() == std::vector<float>{2, 5});
}

TEST_CASE("medians of lines whose length is known to the call, or of windows", "[selection]") {
    auto middle = compile([](Delayed<float> a) { return median(a); });
    for (Long n : {0, 1, 2, 255, 256, 257, 258}) {
        CAPTURE(n);
        std::vector<float> v = mixed<float>(n);
        const float found = middle(from(v)).item();
        std::sort(v.begin(), v.end());
        const auto half = v.size() / 2;
        if (n == 0)
            CHECK(std::isnan(found));
        else
            CHECK(found == (n % 2 == 1 ? v[half] : v[half - 1] + (v[half] - v[half - 1]) * 0.5f));
    }
    const Array<float> a = from(mixed<float>(300));
    for (Long width : {1, 4, 9}) {
        CAPTURE(width);
        const auto of_windows =
            vmap([=](Exp<Long> i) { return median(slice(a, range(2 * i + 1, 2 * i + 1 + width))); }, iota(140));
        const auto one_by_one = everywhere(of_windows).to_vector();
        for (Long i : {0, 77, 139})
            CHECK(one_by_one[static_cast<std::size_t>(i)] ==
                  run(median(slice(a, range(2 * i + 1, 2 * i + 1 + width)))).item());
    }
}

TEST_CASE("partitions", "[selection]") {
    const std::vector<float> v = mixed<float>(50);
    for (Long k : {0, 7, 49}) {
        CAPTURE(k);
        const auto order = run(everywhere(argpartition(from(v), k))).to_vector();
        std::vector<float> sorted = v;
        std::sort(sorted.begin(), sorted.end());
        std::vector<Long> seen = order;
        std::sort(seen.begin(), seen.end());
        for (Long i = 0; i < 50; ++i) {
            const float x = v[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])],
                        pivot = sorted[static_cast<std::size_t>(k)];
            CHECK(seen[static_cast<std::size_t>(i)] == i);
            CHECK((i < k ? x <= pivot : x >= pivot));
        }
    }
}

TEST_CASE("selection along any axis", "[selection]") {
    Array<double, 2> a = from(numbers<double>(35), shape(5, 7));
    auto t = transpose(a);
    require_same(everywhere(median(a, axis(0))).to_vector(), run(median(t)).to_vector());
    require_same(everywhere(quantile(a, 0.3, axis(0))).to_vector(), run(quantile(t, 0.3)).to_vector());
    auto [values, indices] = top_k(a, 2, axis(0));
    auto [wanted, wanted_indices] = top_k(t, 2);
    require_same(everywhere(values).to_vector(), run(transpose(wanted)).to_vector());
    require_same(everywhere(indices).to_vector(), run(transpose(wanted_indices)).to_vector());
    require_same(everywhere(argpartition(a, 2, axis(0))).to_vector(), run(transpose(argpartition(t, 2))).to_vector());
    REQUIRE_THROWS_AS(median(a, axis(2)), UsageError);
}
