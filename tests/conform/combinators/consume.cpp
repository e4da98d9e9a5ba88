// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are given away are updated in place; any other is copied first.
#include "conform/support.hpp"

using namespace sinter;
using conform::everywhere;
using conform::require_same;

TEST_CASE("a compiled function updates an array moved into it", "[consume]") {
    auto set = compile([](Delayed<float> a, Exp<std::int64_t> i) { return update(a, index(i), 7.f); });
    Array<float> a = run(map([](auto i) { return cast<float>(i); }, iota(100)));
    const float* memory = a.data();
    Array<float> b = set(std::move(a), 3);
    REQUIRE(b.data() == memory);
    REQUIRE(b(3) == 7.f);
    REQUIRE(b(4) == 4.f);
    Array<float> kept = b;
    Array<float> c = set(std::move(b), 4);
    REQUIRE(c.data() != memory);
    REQUIRE(kept(4) == 4.f);
    REQUIRE(c(4) == 7.f);
    Array<float> d = set(c, 5);
    REQUIRE(d.data() != c.data());
    REQUIRE(c(5) == 5.f);
}

TEST_CASE("run updates an array moved into its expression", "[consume]") {
    Array<float> a = run(map([](auto i) { return cast<float>(i); }, iota(100)));
    const float* memory = a.data();
    a = run(update(std::move(a), index(3), 7.f));
    REQUIRE(a.data() == memory);
    REQUIRE(a(3) == 7.f);
    auto later = update(std::move(a), index(4), 8.f);
    Array<float> first = run(later), second = run(later);
    REQUIRE(first.data() != memory);
    require_same(first.to_vector(), second.to_vector());
}

TEST_CASE("memory of the caller's is never written", "[consume]") {
    std::vector<float> mine(50, 1.f);
    Array<float> b = run(update(borrow(mine, shape(50)), index(3), 7.f));
    REQUIRE(mine[3] == 1.f);
    REQUIRE(b(3) == 7.f);
}

TEST_CASE("scans and filters of more than one chunk", "[consume]") {
    std::vector<std::int32_t> h(400'003);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<std::int32_t>((i * 7919) % 1009);
    Array<std::int32_t> x = from(h);
    everywhere(inclusive_scan(std::plus<>{}, x));
    everywhere(exclusive_scan([](auto l, auto r) { return max(l, r); }, 5, x, from_right));
    everywhere(filter([](auto v) { return v % 3 == 0; }, x));
    auto last = [](auto l, auto r) { return select(r == 0, l, r); };
    everywhere(inclusive_scan(last, map([](auto v) { return select(v > 1000, v, 0); }, x)));
    auto [prefix, total] = scan_with_total(std::plus<>{}, 3, x);
    everywhere(total);
}

TEST_CASE("chunks of scans and filters taken by several threads in turn", "[consume]") {
    std::vector<std::int32_t> h(900'007);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<std::int32_t>((i * 7919) % 1009);
    Array<std::int32_t> x = from(h);
    auto last = [](auto l, auto r) { return select(r % 8 == 0, l, r); };
    auto one = run(exclusive_scan(last, 1, x), {.target = Target::host(1)}).to_vector();
    auto kept = run(filter([](auto v) { return v % 3 == 0; }, x), {.target = Target::host(1)}).to_vector();
    auto [rows, totals] = scan_with_total(std::plus<>{}, 0, reshape(take(x, 900'000), shape(3, 300'000)));
    auto sums = run(rows, {.target = Target::host(1)}).to_vector();
    auto ends = run(totals, {.target = Target::host(1)}).to_vector();
    for (int threads : {3, 4, 8}) {
        for (int again = 0; again < 5; ++again) {
            CAPTURE(threads);
            REQUIRE((run(exclusive_scan(last, 1, x), {.target = Target::host(threads)}).to_vector() == one));
            auto filtered = run(filter([](auto v) { return v % 3 == 0; }, x), {.target = Target::host(threads)});
            REQUIRE((filtered.to_vector() == kept));
            REQUIRE((run(rows, {.target = Target::host(threads)}).to_vector() == sums));
            REQUIRE((run(totals, {.target = Target::host(threads)}).to_vector() == ends));
        }
    }
}
