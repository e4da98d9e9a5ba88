// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of what scans make, in the scan's pass.
#include "conform/support.hpp"

#include <sinter/detail/ranks.hpp>

#include <limits>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

/// A chunk of a scan has 2^16 elements.
const std::vector<std::int64_t> sizes = {0, 1, 2, 7, 16, 33, 1000, 4099, 300007};

auto larger = [](auto x, auto y) { return max(x, y); };

std::size_t clusters(const auto&... expressions) {
    return explain(std::tuple(expressions...), {.target = Target::host(1), .fusion = Fusion::optimal}).clusters().size();
}

/// Ranks keep exact folds apart from scans, which they share in other ways.
bool are_apart() { return detail::rank_count() > 1; }

/// Compares all results everywhere, and their bits for several numbers of threads.
template <class... A>
void alike(const A&... a) {
    const auto results = std::tuple(a...);
    const auto expected = run(results, {.target = Target::interpreter()});
    for (Fusion fusion : strategies)
        for (Target target : {targets()[0], targets().back(), Target::host(4)}) {
            CAPTURE(static_cast<int>(fusion), target.number);
            const auto made = run(results, {.target = target, .fusion = fusion});
            [&]<std::size_t... K>(std::index_sequence<K...>) {
                (require_same(std::get<K>(expected).to_vector(), std::get<K>(made).to_vector()), ...);
            }(std::index_sequence_for<A...>());
        }
}

template <class T>
Delayed<T, 1> line(std::int64_t n, int seed = 1) {
    return from(numbers<T>(n, seed));
}

}  // namespace

TEMPLATE_TEST_CASE("the largest fall from a running maximum", "[folds_of_scans]", std::int32_t, std::int64_t, std::int8_t,
                   float, double) {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto x = line<TestType>(n);
        const auto peaks = inclusive_scan(larger, std::numeric_limits<TestType>::lowest(), x);
        const auto falls = map([](auto peak, auto v) { return cast<TestType>(peak - v); }, peaks, x);
        const auto worst = fold(larger, TestType(0), falls);
        if (n >= 4099 && !are_apart()) CHECK(clusters(worst) == 1);
        if (n >= 4099 && !are_apart()) CHECK(clusters(worst, peaks, sum(x)) == 1);
        alike(worst, peaks, sum(x));
        alike(worst, sum(falls));
    }
}

TEMPLATE_TEST_CASE("folds of scans of all kinds", "[folds_of_scans]", std::int32_t, std::uint64_t, double) {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        const auto x = line<TestType>(n);
        const auto bits = [](const auto& a) { return map([](auto v) { return cast<std::int64_t>(v) & 255; }, a); };
        auto several = [&](const auto& s) {
            const auto parity = fold([](auto a, auto b) { return a ^ b; }, std::int64_t(0), bits(s));
            const auto some = fold([](auto a, auto b) { return a || b; }, false, map([](auto v) { return v == 17; }, s));
            alike(parity, some, fold(larger, std::numeric_limits<TestType>::lowest(), s));
        };
        several(exclusive_scan(std::plus<>{}, TestType(3), x));
        several(inclusive_scan(larger, x));
        several(inclusive_scan(std::plus<>{}, x, from_right));
        several(recur([](auto s, auto v) { return cast<TestType>(v - s / TestType(2)); }, TestType(1), x));
    }
}

TEST_CASE("an operator without order in pairs, and a fold of one of its values", "[folds_of_scans]") {
    for (std::int64_t n : sizes) {
        const auto x = line<std::int64_t>(n), y = line<std::int64_t>(n, 2);
        const auto scanned = inclusive_scan(composition, std::tuple(std::int64_t(1), std::int64_t(0)), zip(x, y));
        const auto ends = map([](auto pair) { return get<1>(pair); }, scanned);
        if (n >= 4099 && !are_apart()) CHECK(clusters(sum(ends)) == 1);
        alike(sum(ends), fold(larger, std::int64_t(0), ends));
    }
}

TEST_CASE("folds of scans of rows and columns", "[folds_of_scans]") {
    for (auto [rows, columns] :
         {std::pair<std::int64_t, std::int64_t>{0, 5}, {5, 0}, {1, 1000}, {3, 200001}, {200, 65}, {4099, 9}, {9, 4099}}) {
        CAPTURE(rows, columns);
        const auto a = reshape(line<std::int64_t>(rows * columns), shape(rows, columns));
        auto both = [&](const auto& s, int along) {
            alike(fold(larger, std::int64_t(-1000), s, axis(along)), sum(s));
            alike(s, sum(s, axis(along)));
            alike(sum(s, axis(1 - along)));
        };
        both(inclusive_scan(std::plus<>{}, a, axis(1)), 1);
        both(inclusive_scan(std::plus<>{}, a, axis(0)), 0);
        both(recur([](auto s, auto v) { return v - s / 2; }, std::int64_t(1), a, axis(1)), 1);
        both(recur([](auto s, auto v) { return v - s / 2; }, std::int64_t(1), a, axis(0)), 0);
    }
}

TEST_CASE("what needs a fold of a scan runs behind it", "[folds_of_scans]") {
    const auto x = line<double>(100003);
    const auto sums = inclusive_scan(std::plus<>{}, x);
    const auto top = max(sums);
    if (!are_apart()) CHECK(clusters(sums - top) == 2);
    alike(sums - top);
}
