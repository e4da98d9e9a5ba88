// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <algorithm>
#include <execution>

namespace bench {
namespace {

/// n elements of a table of n.
std::vector<Contender> contenders(index n) {
    auto table = random_numbers<float>(n, 0, 1000);
    auto places = random_numbers<std::int32_t>(n, 0, n);
    auto out = zeros<float>(n);
    auto by_hand = [=] {
        const float* from = table->data();
        const std::int32_t* at = places->data();
        float* to = out->data();
#pragma omp parallel for
        for (index i = 0; i < n; ++i) to[i] = from[at[i]];
    };
    auto read = [from = table->data()](std::int32_t i) { return from[i]; };
    auto take = sinter::compile([](sinter::Delayed<std::int32_t> i, sinter::Delayed<float> v) { return gather(i, v); });
    return {
        writes("hand", out, by_hand),
        writes("hand x1", out, [=] { std::transform(places->begin(), places->end(), out->begin(), read); }),
        writes("par", out, [=] { std::transform(std::execution::par, places->begin(), places->end(), out->begin(), read); }),
        contender(take, sinter::from(*places), sinter::from(*table)),
    };
}

}  // namespace

std::vector<Algorithm> gathers() {
    return {{"gather", {1 << 13, 1 << 16, 1 << 20, 1 << 24}, [](index n) { return 12.0 * double(n); }, "GB/s", contenders}};
}

}  // namespace bench
