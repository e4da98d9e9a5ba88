// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/radix_sort.hpp>

#include <algorithm>
#include <limits>

using namespace programs;
using conform::everywhere;

TEST_CASE("radix sort: by hand") {
    const auto keys = from(std::vector<std::uint32_t>{5, 7, 3, 1, 4, 2, 7, 2});
    CHECK(everywhere(radix_sort<1, std::uint32_t>(keys)).to_vector() == std::vector<std::uint32_t>{1, 2, 2, 3, 4, 5, 7, 7});
}

TEST_CASE("radix sort: generated") {
    struct Reference {
        std::int64_t n;
        std::uint32_t least, middle, greatest;
        std::uint64_t before, after;
    };
    for (const Reference& r : {Reference{1, 294552686, 294552686, 294552686, 294552686, 294552686},
                               {2, 294552686, 2570058438, 2570058438, 8004728000, 8004728000},
                               {1000, 3497759, 2171042733, 4289059616, 2192094766604009, 2890643519625991},
                               {65537, 148017, 2147729503, 4294922483, 9215733982329522624u, 12286366763864979070u}}) {
        CAPTURE(r.n);
        const auto keys = sort_input(r.n);
        CHECK(run(checksum(keys)).item() == r.before);
        const auto sorted = everywhere(radix_sort<1, std::uint32_t>(keys));
        CHECK(sorted(0) == r.least);
        CHECK(sorted(r.n / 2) == r.middle);
        CHECK(sorted(r.n - 1) == r.greatest);
        CHECK(run(checksum(sorted)).item() == r.after);
        conform::require_same(sorted.to_vector(), everywhere(radix_sort<2, std::uint32_t>(keys)).to_vector());
        conform::require_same(sorted.to_vector(), run(radix_sort<4, std::uint32_t>(keys)).to_vector());
        conform::require_same(sorted.to_vector(), run(sort(keys)).to_vector());
    }
    CHECK(everywhere(radix_sort<1, std::uint32_t>(sort_input(0))).size() == 0);
}

TEST_CASE("radix sort: stable, with values") {
    using Pair = std::tuple<std::uint32_t, std::int32_t>;
    const auto pairs = make_input(
        1000, [](Exp<std::int64_t> i) { return std::tuple(cast<std::uint32_t>(below(42, i, 10)), cast<std::int32_t>(i)); });
    const auto key = [](Exp<Pair> p) { return p.get<0>(); };
    const auto sorted = everywhere(radix_sort<1, decltype(key), Pair>(key, pairs));
    CHECK(run(checksum(get<0>(sorted))).item() == 6123893);
    CHECK(run(checksum(get<1>(sorted))).item() == 519665354);
    CHECK(run(take(get<1>(sorted), 8)).to_vector() == std::vector<std::int32_t>{4, 15, 45, 60, 72, 74, 82, 88});
}

TEST_CASE("radix sort: signed and floating-point keys") {
    const auto signs = run(map([](Exp<std::uint32_t> x) { return bit_cast<std::int32_t>(x); }, sort_input(1000)));
    auto expected = signs.to_vector();
    std::sort(expected.begin(), expected.end());
    conform::require_same(expected, everywhere(radix_sort<2, std::int32_t>(signs)).to_vector());

    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto floats = from({1.5f, nan, -0.f, -inf, 0.f, -2.f, inf, 1e-40f, -nan});
    conform::require_same({-nan, -inf, -2.f, -0.f, 0.f, 1e-40f, 1.5f, inf, nan},
                          everywhere(radix_sort<1, float>(floats)).to_vector());
}

TEST_CASE("radix sort: rows") {
    const auto rows = run(reshape(sort_input(1000), shape(20, 50)));
    const auto expected = run(sort(rows)).to_vector();
    const auto sorted = vmap([](Delayed<std::uint32_t> row) { return radix_sort<2>(row); }, rows);
    conform::require_same(expected, everywhere(sorted).to_vector());
}
