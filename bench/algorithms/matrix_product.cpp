// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <programs/matmul.hpp>

namespace bench {
namespace {

/// Blocks of the inner axis; four rows at a time share what is loaded of y.
void multiply(const float* x, const float* y, float* out, index n) {
    constexpr index block = 64;
#pragma omp parallel for
    for (index i = 0; i < n; i += 4) {
        float* to = out + i * n;
        for (index k = 0; k < 4 * n; ++k) to[k] = 0;
        for (index first = 0; first < n; first += block)
            for (index k = first; k < first + block; ++k) {
                const float a = x[i * n + k], b = x[(i + 1) * n + k], c = x[(i + 2) * n + k], d = x[(i + 3) * n + k];
                const float* row = y + k * n;
#pragma omp simd
                for (index j = 0; j < n; ++j) {
                    to[j] += a * row[j];
                    to[n + j] += b * row[j];
                    to[2 * n + j] += c * row[j];
                    to[3 * n + j] += d * row[j];
                }
            }
    }
}

std::vector<Contender> contenders(index n) {
    using namespace sinter;
    auto x = random_numbers<float>(n * n, 0, 8), y = random_numbers<float>(n * n, 0, 8);
    auto out = zeros<float>(n * n);
    auto product = compile([](Delayed<float, 2> a, Delayed<float, 2> b) { return programs::matrix_product_nested(a, b); });
    return {
        writes("hand", out, [=] { multiply(x->data(), y->data(), out->data(), n); }),
        contender(product, from(*x, shape(n, n)), from(*y, shape(n, n))),
    };
}

}  // namespace

std::vector<Algorithm> matrix_products() {
    auto work = [](index n) { return 2.0 * double(n) * double(n) * double(n); };
    return {{"matrix product", {128, 512}, work, "GFLOP/s", contenders}};
}

}  // namespace bench
