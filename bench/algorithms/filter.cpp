// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

namespace bench {
namespace {

using sinter::Delayed;

constexpr float limit = 500;

std::vector<Contender> filtered(index n) {
    auto x = random_numbers<float>(n, 0, 1000);
    auto out = zeros<float>(n);
    auto kept = std::make_shared<index>(0);
    auto into = [=](auto copy) { return [=] { *kept = copy() - out->begin(); }; };
    auto check = [=] { return std::accumulate(out->begin(), out->begin() + *kept, 0.0); };
    auto below = [](float v) { return v < limit; };
    auto branchless = [=] {
        float* to = out->data();
        for (float v : *x) *to = v, to += v < limit;
        return out->begin() + (to - out->data());
    };
    auto keep = sinter::compile([](Delayed<float> v) { return filter([](auto e) { return e < limit; }, v); });
    return {
        {"hand x1", into(branchless), check},
        {"par", into([=] { return std::copy_if(std::execution::par, x->begin(), x->end(), out->begin(), below); }), check},
        contender(keep, sinter::from(*x)),
    };
}

std::vector<Contender> summed(index n) {
    auto x = random_numbers<float>(n, 0, 1000);
    auto sum = std::make_shared<float>();
    auto check = [=] { return double(*sum); };
    auto value = [](float v) { return v < limit ? v : 0.f; };
    auto by_hand = [=] {
        float s = 0;
        const float* p = x->data();
#pragma omp parallel for simd reduction(+ : s)
        for (index i = 0; i < n; ++i) s += value(p[i]);
        *sum = s;
    };
    auto add = sinter::compile([](Delayed<float> v) { return sinter::sum(filter([](auto e) { return e < limit; }, v)); });
    return {
        {"hand", by_hand, check},
        {"par", [=] { *sum = std::transform_reduce(std::execution::par, x->begin(), x->end(), 0.f, std::plus<>{}, value); },
         check},
        contender(add, sinter::from(*x)),
    };
}

}  // namespace

std::vector<Algorithm> filters() {
    return {{"filter", {1 << 16, 1 << 20, 1 << 24}, [](index n) { return 6.0 * double(n); }, "GB/s", filtered},
            {"sum of filter", {1 << 16, 1 << 20, 1 << 24}, [](index n) { return 4.0 * double(n); }, "GB/s", summed}};
}

}  // namespace bench
