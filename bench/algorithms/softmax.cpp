// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

void softmax_rows(const float* x, float* out, index side) {
#pragma omp parallel for
    for (index i = 0; i < side; ++i) {
        const float* row = x + i * side;
        float* to = out + i * side;
        float top = row[0], sum = 0;
        for (index j = 0; j < side; ++j) top = std::max(top, row[j]);
        for (index j = 0; j < side; ++j) to[j] = std::exp(row[j] - top);
        for (index j = 0; j < side; ++j) sum += to[j];
        for (index j = 0; j < side; ++j) to[j] /= sum;
    }
}

std::vector<Contender> contenders(index side) {
    using namespace sinter;
    auto x = random_numbers<float>(side * side, -4000, 4000, 1000.f);
    auto out = zeros<float>(side * side);
    auto softmax = compile([](Delayed<float, 2> m) {
        return vmap(
            [](Delayed<float> row) {
                Delayed<float> e = exp(row - max(row));
                return e / sum(e);
            },
            m);
    });
    return {
        writes("hand", out, [=] { softmax_rows(x->data(), out->data(), side); }),
        contender(softmax, from(*x, shape(side, side))),
    };
}

}  // namespace

std::vector<Algorithm> softmaxes() {
    return {{"softmax of rows", {256, 1024, 4096}, [](index n) { return 8.0 * double(n * n); }, "GB/s", contenders}};
}

}  // namespace bench
