// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clusters of points in the plane: every point is assigned to the nearest centre, and every centre moves to the mean of its
/// points, until none moves.
#pragma once

#include "common.hpp"

#include <limits>

namespace programs {

using Point = std::tuple<float, float>;

/// For each point, the number of the nearest centre; if several are equally near, the last. No point is near to a NaN.
inline Delayed<std::int64_t> nearest(Delayed<Point> centres, Delayed<Point> points) {
    return map(
        [=](Exp<float> x, Exp<float> y) {
            auto compare = [=](Exp<std::int64_t> j, Exp<std::int64_t> best, Exp<float> least) {
                auto [cx, cy] = centres(j);
                auto distance = (cx - x) * (cx - x) + (cy - y) * (cy - y);
                return std::tuple(select(distance <= least, j, best), select(distance <= least, distance, least));
            };
            const float far = std::numeric_limits<float>::infinity();
            return std::get<0>(for_loop(size(centres), compare, Exp<std::int64_t>(0), Exp<float>(far)));
        },
        points);
}

/// The means of the points nearest to each of k centres; NaN where there are none.
inline Delayed<Point> recentre(std::int64_t k, Delayed<Point> centres, Delayed<Point> points) {
    using Total = std::tuple<std::int32_t, float, float>;
    auto weighed = map([](Exp<float> x, Exp<float> y) { return std::tuple(Exp<std::int32_t>(1), x, y); }, points);
    auto add = [](Exp<Total> a, Exp<Total> b) {
        auto [na, xa, ya] = a;
        auto [nb, xb, yb] = b;
        return std::tuple(na + nb, xa + xb, ya + yb);
    };
    auto totals = histogram(k, add, Total{}, nearest(centres, points), weighed);
    return map(
        [](Exp<std::int32_t> n, Exp<float> x, Exp<float> y) {
            auto scale = 1.f / cast<float>(n);
            return std::tuple(x * scale, y * scale);
        },
        totals);
}

/// A std::tuple of k centres, and the number of times they were moved after the first time.
inline auto kmeans(std::int64_t k, Delayed<Point> points) {
    auto moving = [](Delayed<Point> old, Delayed<Point> now, Exp<std::int32_t>) {
        return any(map(
            [](Exp<Point> p, Exp<Point> q) {
                auto [px, py] = p;
                auto [qx, qy] = q;
                return abs(px - qx) > 0.01f || abs(py - qy) > 0.01f;
            },
            old, now));
    };
    auto move = [=](Delayed<Point>, Delayed<Point> now, Exp<std::int32_t> steps) {
        return std::tuple(now, recentre(k, now, points), steps + 1);
    };
    auto initial = take(points, k);
    auto [old, centres, steps] = while_loop(moving, move, initial, recentre(k, initial, points), 0);
    return std::tuple(centres, steps);
}

/// Points around k blobs on a circle.
inline Array<Point> blobs(std::int64_t n, std::int64_t k) {
    return make_input(n, [=](Exp<std::int64_t> i) {
        auto angle = 6.283185307179586 * cast<double>(below(7, i, static_cast<std::uint64_t>(k))) / static_cast<double>(k);
        return std::tuple(cast<float>(cos(angle)) + 0.25f * symmetric32(8, 2 * i),
                          cast<float>(sin(angle)) + 0.25f * symmetric32(9, 2 * i));
    });
}

}  // namespace programs
