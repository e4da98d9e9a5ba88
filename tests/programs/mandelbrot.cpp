// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/mandelbrot.hpp>

using namespace programs;
using conform::everywhere;

namespace {

struct Reference {
    std::int64_t sum, inside;
    std::int32_t first, last;
    std::uint64_t checksum;
};

void require_counts(const Array<std::int32_t, 2>& n, const Reference& r) {
    const auto [height, width] = n.shape();
    CHECK(run(sum(map([](Exp<std::int32_t> k) { return cast<std::int64_t>(k); }, flatten(n)))).item() == r.sum);
    CHECK(run(count(flatten(n) == n(height / 2, width / 2))).item() == r.inside);
    CHECK(n(0, 0) == r.first);
    CHECK(n(height - 1, width - 1) == r.last);
    CHECK(run(checksum(n)).item() == r.checksum);
}

}  // namespace

TEST_CASE("Mandelbrot set: small, everywhere") {
    require_counts(everywhere(escape_times(whole_set<float>, 80, 60)), {131563, 1072, 2, 3, 643038945});
    require_counts(everywhere(escape_times(whole_set<double>, 80, 60)), {131564, 1072, 2, 3, 643041276});
}

TEST_CASE("Mandelbrot set: nothing is contracted") {
    require_counts(run(escape_times(whole_set<float>, 800, 600)), {12970242, 105433, 2, 3, 6237059269204});
    require_counts(run(escape_times(whole_set<double>, 800, 600)), {12970645, 105450, 2, 3, 6237241865319});
}
