// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

using namespace sinter;

namespace {

bool on_gpu() {
    const char* chosen = std::getenv("SINTER_TARGET");
    return chosen && std::string_view(chosen).starts_with("gpu");
}

/// The gpu's bits are those of `exact`, computed by the interpreter, and every time the same.
template <class E>
void check(const E& exact) {
    const auto expected = run(exact, {.target = Target::interpreter()}).to_vector();
    conform::require_same(expected, run(exact, {.target = Target::gpu()}).to_vector());
}

/// Of values that round: the same bits every time.
template <class E>
void check_repeats(const E& rounded) {
    const auto first = run(rounded, {.target = Target::gpu()}).to_vector();
    for (int k = 0; k < 3; ++k) conform::require_same(first, run(rounded, {.target = Target::gpu()}).to_vector());
}

std::vector<float> fractions(std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i * 7919 % 1013) * 0.37f - 150.f;
    return v;
}

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
        Array<std::int64_t> x = from(conform::numbers<std::int64_t>(n));
        check(inclusive_scan(std::plus<>{}, x));
        check(exclusive_scan(std::plus<>{}, std::int64_t(9), x, from_right));
        check(inclusive_scan(std::plus<>{}, map([](auto v) { return cast<std::int8_t>(v); }, x)));
        check(inclusive_scan([](auto l, auto r) { return l != r; }, map([](auto v) { return v > 0; }, x)));
        auto [before, total] = scan_with_total(std::plus<>{}, 3.f, from(conform::numbers<float>(n)));
        check(before);
        check(total);
        check_repeats(inclusive_scan(std::plus<>{}, from(fractions(n))));
    }
}

TEST_CASE("scans of products in one pass", "[scan]") {
    if (!on_gpu()) return;
    const std::int64_t n = 50000;
    auto starts = map([](auto i) { return i % 1777 == 5; }, iota(n));
    check(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(conform::numbers<float>(n)))))));
    check(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(conform::numbers<double>(n)))))));
    check(std::get<1>(unzip(inclusive_scan(segmented_sum, zip(starts, from(conform::numbers<int>(n))), from_right))));
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
    check(std::get<0>(unzip(inclusive_scan(chained, maps))));
    check(std::get<2>(unzip(inclusive_scan(chained, maps))));
}

TEST_CASE("filters of many chunks in one pass", "[filter]") {
    if (!on_gpu()) return;
    for (std::int64_t n : {8192, 140001}) {
        CAPTURE(n);
        Array<float> x = from(conform::numbers<float>(n));
        check(filter([](auto v) { return v > 1.f; }, x));
        check(filter([](auto) { return Exp<bool>(false); }, x));
        check(std::get<1>(unzip(filter(
            [](auto p) {
                auto [v, i] = p;
                return v > 0.f;
            },
            zip(x, iota(n))))));
        check(sum(filter([](auto v) { return v > 1.f; }, x)));
    }
}

TEST_CASE("a gpu that is not there is a DeviceError that says what is missing", "[errors]") {
    const char* chosen = std::getenv("SINTER_TARGET");
    if (chosen && std::string_view(chosen) == "gpu_emulated") return;  // there is any number of these
    const Array<float> x = from(std::vector<float>(3));
    location where = location::current();
    try {
        run(x + 1.f, {.target = Target::gpu(1000)}, where);
        FAIL("there is a gpu 1000");
    } catch (const DeviceError& error) {
        const std::string text = error.what();
        const bool says = text.find("driver") != std::string::npos || text.find("device 1000") != std::string::npos;
        CHECK(says);
        CHECK(error.where().line() == where.line());
    }
    CHECK(run(x + 1.f).to_vector() == std::vector<float>(3, 1.f));
}

TEST_CASE("arrays go from one target to the other", "[interop]") {
    if (!on_gpu()) return;
    const Array<int> x = from(conform::numbers<int>(1000));
    const Array<int> there = run(x * 2, {.target = Target::gpu()});
    const Array<int> here = run(there + x, {.target = Target::host()});
    const Array<int> again = run(here - there, {.target = Target::gpu()});
    conform::require_same(x.to_vector(), again.to_vector());
}

TEST_CASE("a copy on the device does not outlive a change in place", "[consume]") {
    if (!on_gpu()) return;
    Array<int> x = from(std::vector<int>{1, 2, 3});
    CHECK(run(x + 0, {.target = Target::gpu()}).to_vector() == std::vector<int>{1, 2, 3});
    x = run(update(std::move(x), index(1), 9), {.target = Target::host()});
    CHECK(run(x + 0, {.target = Target::gpu()}).to_vector() == std::vector<int>{1, 9, 3});
}
