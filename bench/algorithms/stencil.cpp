// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <algorithm>

namespace bench {
namespace {

/// The mean of a point and its four neighbours; at the border, of the nearest points.
void smooth(const float* x, float* out, index side) {
#pragma omp parallel for
    for (index i = 0; i < side; ++i) {
        const float *row = x + i * side, *above = x + std::max<index>(i - 1, 0) * side;
        const float* below = x + std::min(i + 1, side - 1) * side;
        float* to = out + i * side;
        auto at = [&](index left, index j, index right) {
            to[j] = 0.2f * (row[j] + row[left] + row[right] + above[j] + below[j]);
        };
        at(0, 0, 1);
        for (index j = 1; j < side - 1; ++j) at(j - 1, j, j + 1);
        at(side - 2, side - 1, side - 1);
    }
}

std::vector<Contender> contenders(index side) {
    auto x = random_numbers<float>(side * side, 0, 1000);
    auto out = zeros<float>(side * side);
    auto five = sinter::compile([](sinter::Delayed<float, 2> v) {
        return stencil([](auto s) { return 0.2f * (s(0, 0) + s(0, -1) + s(0, 1) + s(-1, 0) + s(1, 0)); },
                       sinter::boundary::clamp, v);
    });
    return {
        writes("hand", out, [=] { smooth(x->data(), out->data(), side); }),
        contender(five, sinter::from(*x, sinter::shape(side, side))),
    };
}

}  // namespace

std::vector<Algorithm> stencils() {
    return {{"5-point stencil", {256, 1024, 4096}, [](index n) { return 8.0 * double(n * n); }, "GB/s", contenders}};
}

}  // namespace bench
