// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/max_segment_sum.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("max segment sum: by hand") {
    const auto of = [](std::vector<std::int32_t> x) { return everywhere(maximum_segment_sum(from(x))).item(); };
    CHECK(of({1, -2, 3, 4, -1, 5, -6, 1}) == 11);
    CHECK(of({31, -41, 59, 26, -53, 58, 97, -93, -23, 84}) == 187);
    CHECK(of({}) == 0);
    CHECK(of({-3, -1, -2}) == 0);
}

TEST_CASE("max segment sum: generated, with all prefixes") {
    struct Reference {
        std::int64_t n;
        std::int32_t best, total;
        std::uint64_t prefixes;
    };
    for (const Reference& r : {Reference{1, 0, -28, 0},
                               {7, 115, -118, 3095},
                               {1000, 1648, -1683, 1629765283},
                               {4097, 3470, -2763, 50718964981},
                               {1 << 20, 42042, -74636, 35061428723093978}}) {
        CAPTURE(r.n);
        const auto x = segment_input(r.n);
        CHECK(everywhere(maximum_segment_sum(x)).item() == r.best);
        CHECK(everywhere(sum(x)).item() == r.total);
        CHECK(everywhere(checksum(maximum_segment_sums(x))).item() == r.prefixes);
    }
}

TEST_CASE("max segment sum: positions") {
    CHECK(everywhere(maximum_segment(segment_input(1))).item() == empty_place);
    CHECK(everywhere(maximum_segment(segment_input(7))).item() == Place(115, 4, 6));
    CHECK(everywhere(maximum_segment(segment_input(1000))).item() == Place(1648, 55, 151));
    CHECK(everywhere(maximum_segment(segment_input(4097))).item() == Place(3470, 1580, 2134));
}

TEST_CASE("max segment sum: of rows, and of floats") {
    const auto rows = reshape(segment_input(1000), shape(20, 50));
    std::vector<std::int32_t> expected;
    for (std::int64_t i = 0; i < 20; ++i)
        expected.push_back(run(maximum_segment_sum(drop(take(segment_input(1000), 50 * (i + 1)), 50 * i))).item());
    conform::require_same(expected, everywhere(maximum_segment_sum(rows)).to_vector());

    const auto eighths = map([](Exp<std::int32_t> x) { return cast<float>(x) / 8.f; }, segment_input(100003));
    const float eight_times = static_cast<float>(run(maximum_segment_sum(segment_input(100003))).item());
    CHECK(everywhere(maximum_segment_sum(eighths)).item() * 8 == eight_times);
}

TEST_CASE("max segment sum: of rows, nested") {
    const auto rows = run(reshape(segment_input(1000), shape(20, 50)));
    const auto expected = run(maximum_segment_sum(rows)).to_vector();
    conform::require_same(
        expected, everywhere(vmap([](Delayed<std::int32_t> row) { return maximum_segment_sum(row); }, rows)).to_vector());
    const auto prefixes = run(maximum_segment_sums(rows)).to_vector();
    conform::require_same(
        prefixes, everywhere(vmap([](Delayed<std::int32_t> row) { return maximum_segment_sums(row); }, rows)).to_vector());
}
