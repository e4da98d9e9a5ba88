// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <programs/max_segment_sum.hpp>

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

namespace bench {
namespace {

struct Segment {
    std::int32_t best, head, tail, total;
};

Segment join(const Segment& a, const Segment& b) {
    return {std::max({a.best, b.best, a.tail + b.head}), std::max(a.head, a.total + b.head),
            std::max(b.tail, a.tail + b.total), a.total + b.total};
}

Segment one(std::int32_t x) { return {std::max(x, 0), std::max(x, 0), std::max(x, 0), x}; }

std::vector<Contender> contenders(index n) {
    auto x = random_numbers<std::int32_t>(n, -100, 101);
    auto best = std::make_shared<std::int32_t>();
    auto check = [=] { return double(*best); };
    auto alone = [=] {  // Kadane
        std::int32_t most = 0, ending = 0;
        for (std::int32_t v : *x) ending = std::max(ending + v, 0), most = std::max(most, ending);
        *best = most;
    };
    auto parallel = [=] {
        *best = std::transform_reduce(std::execution::par, x->begin(), x->end(), Segment{}, join, one).best;
    };
    auto ours = sinter::compile([](sinter::Delayed<std::int32_t> v) { return programs::maximum_segment_sum(v); });
    return {{"hand x1", alone, check}, {"par", parallel, check}, contender(ours, sinter::from(*x))};
}

}  // namespace

std::vector<Algorithm> segment_sums() {
    auto bytes = [](index n) { return 4.0 * double(n); };
    return {{"max segment sum", {1 << 16, 1 << 20, 1 << 24}, bytes, "GB/s", contenders}};
}

}  // namespace bench
