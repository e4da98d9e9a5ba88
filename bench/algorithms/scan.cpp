// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <omp.h>

#include <execution>
#include <functional>
#include <numeric>

namespace bench {
namespace {

constexpr index block = 1 << 14;

/// Blocks that stay in the cache between the pass for their sums and the pass that writes.
void scan_by_hand(const float* x, float* out, index n) {
    const index threads = omp_get_max_threads(), wave = block * threads;
    std::vector<float> sums(static_cast<std::size_t>(threads + 1), 0.f);
    for (index first = 0; first < n; first += wave) {
#pragma omp parallel
        {
            const index t = omp_get_thread_num();
            const index begin = std::min(n, first + t * block), end = std::min(n, begin + block);
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (index i = begin; i < end; ++i) sum += x[i];
            sums[static_cast<std::size_t>(t + 1)] = sum;
#pragma omp barrier
            float before = sums[0];
            for (index k = 1; k <= t; ++k) before += sums[static_cast<std::size_t>(k)];
            for (index i = begin; i < end; ++i) out[i] = before += x[i];
        }
        for (std::size_t k = 1; k < sums.size(); ++k) sums[0] += sums[k];
    }
}

std::vector<Contender> contenders(index n) {
    auto x = random_numbers<float>(n, 0, 3);
    auto out = zeros<float>(n);
    auto scan = sinter::compile([](sinter::Delayed<float> v) { return inclusive_scan(std::plus<>{}, v); });
    return {
        writes("hand", out, [=] { scan_by_hand(x->data(), out->data(), n); }),
        writes("hand x1", out, [=] { std::inclusive_scan(x->begin(), x->end(), out->begin()); }),
        writes("par", out, [=] { std::inclusive_scan(std::execution::par, x->begin(), x->end(), out->begin()); }),
        contender(scan, sinter::from(*x)),
    };
}

}  // namespace

std::vector<Algorithm> scans() {
    return {{"inclusive scan", {1 << 16, 1 << 20, 1 << 24}, [](index n) { return 8.0 * double(n); }, "GB/s", contenders}};
}

}  // namespace bench
