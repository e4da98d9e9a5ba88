// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <omp.h>

#include <algorithm>
#include <functional>

namespace bench {
namespace {

void count_on_threads(const std::vector<std::int32_t>& places, std::vector<float>& sums) {
    const auto n = static_cast<index>(places.size()), bins = static_cast<index>(sums.size());
    const int threads = omp_get_max_threads();
    std::vector<float> copies(static_cast<std::size_t>(bins * threads), 0.f);
#pragma omp parallel
    {
        float* mine = copies.data() + bins * omp_get_thread_num();
#pragma omp for
        for (index i = 0; i < n; ++i) mine[places[static_cast<std::size_t>(i)]] += 1;
#pragma omp for
        for (index b = 0; b < bins; ++b) {
            float sum = 0;
            for (int t = 0; t < threads; ++t) sum += copies[static_cast<std::size_t>(b + t * bins)];
            sums[static_cast<std::size_t>(b)] = sum;
        }
    }
}

template <index Bins>
std::vector<Contender> contenders(index n) {
    auto places = random_numbers<std::int32_t>(n, 0, Bins);
    auto sums = zeros<float>(Bins);
    auto alone = [=] {
        std::fill(sums->begin(), sums->end(), 0.f);
        for (std::int32_t b : *places) (*sums)[static_cast<std::size_t>(b)] += 1;
    };
    auto count = sinter::compile([](sinter::Delayed<std::int32_t> p) {
        return sinter::histogram(Bins, std::plus<>{}, 0.f, p, sinter::fill(sinter::shape(sinter::size(p)), 1.f));
    });
    return {
        writes("hand", sums, [=] { count_on_threads(*places, *sums); }),
        writes("hand x1", sums, alone),
        contender(count, sinter::from(*places)),
    };
}

double bytes(index n) { return 4.0 * double(n); }

}  // namespace

std::vector<Algorithm> histograms() {
    return {{"histogram 256", {1 << 16, 1 << 20, 1 << 24}, bytes, "GB/s", contenders<256>},
            {"histogram 65536", {1 << 20, 1 << 24}, bytes, "GB/s", contenders<65536>},
            {"histogram 4M", {1 << 20, 1 << 24}, bytes, "GB/s", contenders<(1 << 22)>}};
}

}  // namespace bench
