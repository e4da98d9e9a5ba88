// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/lu.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("LU: by hand") {
    const auto a = from(std::vector<double>{2, 1, 1, 4, 3, 3, 8, 7, 9}, shape(3, 3));
    const std::vector<double> expected{2, 1, 1, 2, 1, 1, 4, 3, 2};
    CHECK(everywhere(lu<double>(a, 3)).to_vector() == expected);
    CHECK(everywhere(lu_by_slices<double>(a, 3)).to_vector() == expected);
}

TEST_CASE("LU: the product is the matrix") {
    for (const std::int64_t n : {1, 2, 7, 33, 64}) {
        CAPTURE(n);
        const auto a = dominant_matrix<double>(n);
        const auto factors = everywhere(lu<double>(a, n));
        conform::require_near(a.to_vector(), everywhere(lu_product<double>(factors, n)).to_vector(), 1e-12);
        conform::require_near(factors.to_vector(), everywhere(lu_by_slices<double>(a, n)).to_vector(), 1e-13);
        conform::require_same(dominant_matrix<double>(n).to_vector(), a.to_vector());  // nobody wrote to it
    }
}
