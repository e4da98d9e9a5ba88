// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/matmul.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("matrix product: by hand") {
    const auto x = from(std::vector{1, 2, 3, 4, 5, 6}, shape(2, 3));
    const auto y = from(std::vector{7, 8, 9, 10, 11, 12}, shape(3, 2));
    CHECK(everywhere(matrix_product<std::int32_t>(x, y, 2, 3, 2)).to_vector() ==
          std::vector<std::int32_t>{58, 64, 139, 154});
}

TEMPLATE_TEST_CASE("matrix product: generated", "", std::int32_t, float, double) {
    using T = TestType;
    struct Reference {
        std::int64_t m, k, n, sum, first, last;
        std::uint64_t checksum;
    };
    const T scale = std::is_integral_v<T> ? 1 : 8;
    for (const Reference& r : {Reference{1, 1, 1, 49, 49, 49, 49},
                               {5, 1, 7, 0, 49, 0, 18446744073709541634u},
                               {3, 0, 4, 0, 0, 0, 0},
                               {17, 33, 9, -3183, -113, -18, 18446744073709172649u},
                               {64, 64, 64, 31665, 139, -98, 159866145},
                               {100, 200, 50, -25000, 480, 97, 18446744073619499750u}}) {
        CAPTURE(r.m, r.k, r.n);
        const auto x = factor(5, r.m, r.k, scale), y = factor(6, r.k, r.n, scale);
        const auto z = everywhere(matrix_product<T>(x, y, r.m, r.k, r.n));
        const auto whole = run(map([=](Exp<T> v) { return cast<std::int32_t>(v * (scale * scale)); }, z));
        CHECK(whole(0, 0) == r.first);
        CHECK(whole(r.m - 1, r.n - 1) == r.last);
        CHECK(run(sum(flatten(whole))).item() == r.sum);
        CHECK(run(checksum(whole)).item() == r.checksum);
    }
}

TEST_CASE("matrix product: no array of rank 3 is stored") {
    const auto x = factor(5, 64, 64, 8.f), y = factor(6, 64, 64, 8.f);
    const auto e = explain(matrix_product<float>(x, y, 64, 64, 64));
    CHECK(e.clusters().size() == 1);
    CHECK(e.bytes_moved() == 3 * 64 * 64 * 4);
}

TEST_CASE("matrix product: nested is the same as flat") {
    const auto x = factor(5, 17, 33, 8.f), y = factor(6, 33, 9, 8.f);
    const auto expected = run(matrix_product<float>(x, y, 17, 33, 9)).to_vector();
    conform::require_same(expected, everywhere(matrix_product_nested<float>(x, y)).to_vector());
    const auto e = explain(matrix_product_nested<float>(x, y));
    CHECK(e.clusters().size() == 1);
    CHECK(e.bytes_moved() == 4 * (17 * 33 + 33 * 9 + 17 * 9));
}
