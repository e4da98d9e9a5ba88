// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means of the data in rings of equal width about a centre.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 400'000, rings = 128;

/// Sums and counts of all rings in one pass, each thread its own.
void plain_rings(const double* data, const double* radius, double* mean) {
    double largest = 0, total[rings] = {};
    index count[rings] = {};
#pragma omp parallel
    {
#pragma omp for simd reduction(max : largest)
        for (index i = 0; i < n; ++i) largest = std::max(largest, radius[i]);
        const double scale = rings / largest;
#pragma omp for reduction(+ : total, count)
        for (index i = 0; i < n; ++i) {
            const index ring = static_cast<index>(radius[i] * scale);
            if (ring >= rings) continue;
            total[ring] += data[i];
            ++count[ring];
        }
    }
    for (index r = 0; r < rings; ++r) mean[r] = total[r] / static_cast<double>(count[r]);
}

/// NPBench's naive form: a mask for each ring.
D1 by_masks(D1 data, D1 radius) {
    auto largest = max(radius);
    return vmap(
        [=](I r) {
            auto low = largest() * cast<double>(r) / double(rings), high = largest() * cast<double>(r + 1) / double(rings);
            auto in = map([=](R x) { return low <= x && x < high; }, radius);
            return sum(select(in, data, 0.)) / cast<double>(sum(cast<index>(in)));
        },
        iota(rings));
}

D1 by_filters(D1 data, D1 radius) {
    auto largest = max(radius);
    return vmap(
        [=](I r) {
            auto low = largest() * cast<double>(r) / double(rings), high = largest() * cast<double>(r + 1) / double(rings);
            auto in = filter([=](R x, R) { return low <= x && x < high; }, zip(radius, data));
            return sum(get<1>(in)) / cast<double>(sum(map([](R, R) { return I(1); }, in)));
        },
        iota(rings));
}

auto ring_of(D1 radius) {
    auto largest = max(radius);
    return map(
        [=](R x) {
            auto ring = cast<index>(x * (double(rings) / largest()));
            return select(ring < rings, ring, -1);
        },
        radius);
}

D1 by_histograms(D1 data, D1 radius) {
    auto ring = ring_of(radius);
    auto total = histogram(rings, std::plus<>{}, 0., ring, data);
    auto count = histogram(rings, std::plus<>{}, index(0), ring, fill(shape(size(radius)), index(1)));
    return total / cast<double>(count);
}

D1 by_pairs(D1 data, D1 radius) {
    auto plus = [](auto a, auto b) {
        auto [x, n] = a;
        auto [y, m] = b;
        return std::tuple(x + y, n + m);
    };
    auto pairs = map([](R x) { return std::tuple(x, I(1)); }, data);
    auto all = histogram(rings, plus, std::tuple(0., index(0)), ring_of(radius), pairs);
    return map([](R x, I n) { return x / cast<double>(n); }, all);
}

}  // namespace

Kernel azimint() {
    A1 data = random_array(0., 1., n), radius = random_array(0., 1., n);
    auto mean = buffer(rings);
    auto of = [=](D1 (*f)(D1, D1)) { return [=, f = compile(f)] { return f(data, radius); }; };
    return {"azimint",
            "400000 points, 128 rings",
            1e-10,
            {input("data", data), input("radius", radius), number("npt", rings)},
            {plain(
                 "c++", [=] { plain_rings(data.data(), radius.data(), mean->data()); }, mean),
             form("histograms", of(by_histograms)), form("histogram of pairs", of(by_pairs)), form("masks", of(by_masks)),
             form("filters", of(by_filters))}};
}

}  // namespace bench::npb
