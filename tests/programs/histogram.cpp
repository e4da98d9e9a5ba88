// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/blur_sobel.hpp>
#include <programs/histogram.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("histogram: small") {
    for (const bool even : {true, false}) {
        CAPTURE(even);
        const auto counts = [&](std::int64_t n) {
            return everywhere(even ? count_bins(256, bytes(n)) : count_bins(256, skewed(n)));
        };
        CHECK(run(checksum(counts(0))).item() == 0);
        CHECK(run(sum(counts(1))).item() == 1);
        CHECK(run(checksum(counts(1000))).item() == (even ? 252478u : 124762u));
        CHECK(counts(1000)(0) == (even ? 4 : 151));
    }
}

TEST_CASE("histogram: a million elements") {
    constexpr std::int64_t n = 1000000;
    struct Reference {
        Delayed<std::int32_t> counts;
        std::int32_t first, last, least, greatest;
        std::uint64_t checksum;
    };
    for (const Reference& r : {Reference{count_bins(256, bytes(n)), 3886, 3965, 3726, 4096, 256197452},
                               {count_bins(256, skewed(n)), 157926, 1357, 1275, 157926, 127950554},
                               {count_bins(1 << 20, many(n)), 0, 0, 0, 8, 1048130496676},
                               {count_bins(256, outside(n)), 3356, 3237, 3168, 3541, 218509702}}) {
        const auto counts = everywhere(r.counts);
        CHECK(run(checksum(counts)).item() == r.checksum);
        CHECK(counts(0) == r.first);
        CHECK(counts(counts.size() - 1) == r.last);
        CHECK(run(min(counts)).item() == r.least);
        CHECK(run(max(counts)).item() == r.greatest);
    }
    CHECK(everywhere(count_bins(1, fill(shape(n), std::int64_t{0})))(0) == n);
}

TEST_CASE("histogram: sums and extremes") {
    const auto sums = conform::everywhere_near(sums_of_bins(1000000), 1e-9);
    CHECK(sums(0) == Approx(1973.08316568496).epsilon(1e-12));
    CHECK(sums(255) == Approx(1938.64804038611).epsilon(1e-12));
    CHECK(run(sum(sums)).item() == Approx(499938.032501304).epsilon(1e-12));

    const auto extremes = everywhere(extremes_of_bins(1000000));
    CHECK(extremes(0) == Extremes(84601, 2145445725));
    CHECK(extremes(255) == Extremes(333923, 2147361449));
    CHECK(run(checksum(get<0>(extremes))).item() == 39073876475);
    CHECK(run(checksum(get<1>(extremes))).item() == 140702740653383);
}

TEST_CASE("histogram: channels of an image") {
    const auto [red, green, blue] = unzip(test_image(240, 320));
    CHECK(everywhere(checksum(count_bins(256, flatten(red)))).item() == 19640960);
    CHECK(everywhere(checksum(count_bins(256, flatten(green)))).item() == 22118400);
    CHECK(everywhere(checksum(count_bins(256, flatten(blue)))).item() == 4906802);
}
