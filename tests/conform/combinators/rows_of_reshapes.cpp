// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of reshaped arrays, reshaped back: what is computed in between has the shape of the result.
#include "conform/support.hpp"

#include <array>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Row = Delayed<float>;

Row centred(Row x) {
    auto d = x - sum(x) / 8.f;
    return d / (1.f + fold([](auto a, auto b) { return max(a, b); }, 0.f, abs(d)));
}

const std::vector<std::array<std::int64_t, 3>> shapes = {{0, 3, 4}, {2, 0, 5}, {2, 3, 0}, {1, 1, 1}, {3, 5, 7}, {4, 2, 64}};

}  // namespace

TEST_CASE("rows of a reshaped array, reshaped back", "[view][reshape]") {
    for (auto [n, m, w] : shapes) {
        CAPTURE(n, m, w);
        const Delayed<float, 3> a = from(numbers<float>(n * m * w), shape(n, m, w));
        const Delayed<float, 2> rows = reshape(a, shape(n * m, w));
        everywhere(reshape(vmap(centred, rows), shape(n, m, w)));
        everywhere(reshape(vmap(centred, rows), shape(m, n, w)));
        const auto negated = -rows;
        everywhere(concat(reshape(reshape(negated, shape(n, m, w)), shape(n * m * w)), sum(negated)));
    }
}

TEST_CASE("rows of an array whose shape is a parameter, reshaped back", "[view][reshape]") {
    const auto f = compile([](Delayed<float, 4> x) {
        auto n = extent(x, 0), h = extent(x, 1), m = extent(x, 2), w = extent(x, 3);
        Delayed<float, 2> rows = reshape(x, shape(n * h * m, w));
        return reshape(vmap(centred, rows), shape(n, h, m, w));
    });
    for (std::int64_t w : {0, 1, 40}) {
        const Array<float, 4> x = run(from(numbers<float>(24 * w), shape(2, 3, 4, w)));
        const Array<float, 4> expected = everywhere(reshape(vmap(centred, reshape(x, shape(24, w))), shape(2, 3, 4, w)));
        CHECK(f(x).to_vector() == expected.to_vector());
    }
}
