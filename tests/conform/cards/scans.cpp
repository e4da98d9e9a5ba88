// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/cards/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

auto segmented_sum = [](auto l, auto r) {
    auto [starts, sum] = l;
    auto [restarts, more] = r;
    return std::tuple(starts || restarts, select(restarts, more, sum + more));
};

}  // namespace

TEST_CASE("scans of many chunks in one pass", "[scan]") {
    if (!on_gpu()) return;
    for (std::int64_t n : {8192, 8193, 33 * 4096, 140001}) {
        CAPTURE(n);
        Array<std::int64_t> x = from(numbers<std::int64_t>(n));
        check_on_gpu(inclusive_scan(std::plus<>{}, x));
        check_on_gpu(exclusive_scan(std::plus<>{}, std::int64_t(9), x, from_right));
        check_on_gpu(inclusive_scan(std::plus<>{}, map([](auto v) { return cast<std::int8_t>(v); }, x)));
        check_on_gpu(inclusive_scan([](auto l, auto r) { return l != r; }, map([](auto v) { return v > 0; }, x)));
        auto [before, total] = scan_with_total(std::plus<>{}, 3.f, from(numbers<float>(n)));
        check_on_gpu(before);
        check_on_gpu(total);
        check_repeats(inclusive_scan(std::plus<>{}, from(fractions(n))));
    }
}

TEST_CASE("scans of products in one pass", "[scan]") {
    if (!on_gpu()) return;
    const std::int64_t n = 50000;
    auto starts = map([](auto i) { return i % 1777 == 5; }, iota(n));
    check_on_gpu(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(numbers<float>(n)))))));
    check_on_gpu(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(numbers<double>(n)))))));
    check_on_gpu(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(numbers<int>(n))), from_right))));
    check_repeats(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(fractions(n)))))));
}

TEST_CASE("scans of groups of groups of chunks", "[scan]") {
    if (!on_gpu()) return;
    const std::int64_t n = 1100000;  // 1024 chunks and more, of three values
    auto maps = zip(iota(n) % std::int64_t(5), fill(shape(n), 3.0), map([](auto i) { return i % 7 == 0; }, iota(n)));
    auto chained = [](auto l, auto r) {
        auto [a, b, c] = l;
        auto [d, e, f] = r;
        return std::tuple(a + d, min(b, e), c != f);
    };
    check_on_gpu(std::get<0>(unzip(inclusive_scan(chained, maps))));
    check_on_gpu(std::get<2>(unzip(inclusive_scan(chained, maps))));
}

TEST_CASE("filters of many chunks in one pass", "[filter]") {
    if (!on_gpu()) return;
    for (std::int64_t n : {8192, 140001}) {
        CAPTURE(n);
        Array<float> x = from(numbers<float>(n));
        check_on_gpu(filter([](auto v) { return v > 1.f; }, x));
        check_on_gpu(filter([](auto) { return Exp<bool>(false); }, x));
        check_on_gpu(std::get<1>(unzip(filter(
            [](auto p) {
                auto [v, i] = p;
                return v > 0.f;
            },
            zip(x, iota(n))))));
        check_on_gpu(sum(filter([](auto v) { return v > 1.f; }, x)));
    }
}
