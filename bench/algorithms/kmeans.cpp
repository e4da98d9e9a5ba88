// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"

#include <programs/kmeans.hpp>

#include <algorithm>
#include <limits>

namespace bench {
namespace {

constexpr index centres = 16;

struct Totals {
    float n[centres] = {}, x[centres] = {}, y[centres] = {};
};

/// One step: every point to its nearest centre, every centre to the mean of its points.
void move_centres(const std::vector<float>& px, const std::vector<float>& py, std::vector<float>& out) {
    const auto points = static_cast<index>(px.size());
    Totals all;
#pragma omp parallel
    {
        Totals mine;
#pragma omp for
        for (index i = 0; i < points; ++i) {
            const float x = px[static_cast<std::size_t>(i)], y = py[static_cast<std::size_t>(i)];
            float least = std::numeric_limits<float>::infinity();
            index best = 0;
            for (index c = 0; c < centres; ++c) {
                const float dx = px[static_cast<std::size_t>(c)] - x, dy = py[static_cast<std::size_t>(c)] - y;
                const float d = dx * dx + dy * dy;
                best = d <= least ? c : best;
                least = std::min(d, least);
            }
            ++mine.n[best], mine.x[best] += x, mine.y[best] += y;
        }
#pragma omp critical
        for (index c = 0; c < centres; ++c) all.n[c] += mine.n[c], all.x[c] += mine.x[c], all.y[c] += mine.y[c];
    }
    for (index c = 0; c < centres; ++c) {
        out[static_cast<std::size_t>(c)] = all.x[c] / all.n[c];
        out[static_cast<std::size_t>(c + centres)] = all.y[c] / all.n[c];
    }
}

std::vector<Contender> contenders(index n) {
    using namespace sinter;
    auto x = random_numbers<float>(n, 0, 1 << 20, 1024.f), y = zeros<float>(n);
    std::reverse_copy(x->begin(), x->end(), y->begin());
    auto out = zeros<float>(2 * centres);
    auto step = compile([](Delayed<float> px, Delayed<float> py) {
        Delayed<programs::Point> points = zip(px, py);
        auto [cx, cy] = unzip(programs::recentre(centres, take(points, centres), points));
        return std::tuple(cx, cy);
    });
    return {
        writes("hand", out, [=] { move_centres(*x, *y, *out); }),
        contender(step, from(*x), from(*y)),
    };
}

}  // namespace

std::vector<Algorithm> kmeans_steps() {
    auto work = [](index n) { return 6.0 * double(centres) * double(n); };
    return {{"k-means step", {1 << 16, 1 << 20}, work, "GFLOP/s", contenders}};
}

}  // namespace bench
