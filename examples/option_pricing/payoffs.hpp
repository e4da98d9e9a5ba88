// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program: from the number of paths to the sum of their payoffs.
#pragma once

#include "contract.hpp"
#include "gaussian.hpp"
#include "sobol.hpp"

#include <sinter/sinter.hpp>

#include <cmath>

namespace option_pricing {

using namespace sinter;
using namespace contract;

using Real = Exp<float>;
using Numbers = std::array<float, coordinates>;  // one per date and underlying, as an element of an array
using Traced = std::array<Real, coordinates>;    // the same while the computation is being recorded

constexpr int at(int date, int underlying) { return date * underlyings + underlying; }

inline Traced gaussians(Exp<Numbers> uniform) {
    Traced g;
    for (int c = 0; c < coordinates; ++c) g[c] = gaussian::quantile(uniform[c]);
    return g;
}

/// Brownian bridge: the last date first, then each date between two that are known. Returns the path's increments.
inline Traced bridge(Exp<Numbers> g) {
    struct Step {
        int to, left, right;
    };  // numbers of dates; left -1 is today
    constexpr Step between[] = {{1, -1, 4}, {0, -1, 1}, {2, 1, 4}, {3, 2, 4}};
    Traced w, z;
    for (int u = 0; u < underlyings; ++u) {
        w[at(4, u)] = float(std::sqrt(years[4])) * g[at(0, u)];
        int number = 1;
        for (const auto [to, left, right] : between) {
            const double l = left < 0 ? 0 : years[left], t = years[to], r = years[right];
            const float deviation = float(std::sqrt((r - t) * (t - l) / (r - l)));
            Real v = float((t - l) / (r - l)) * w[at(right, u)] + deviation * g[at(number++, u)];
            if (left >= 0) v = v + float((r - t) / (r - l)) * w[at(left, u)];
            w[at(to, u)] = v;
        }
        for (int d = 0; d < dates; ++d) z[at(d, u)] = d == 0 ? w[at(0, u)] : w[at(d, u)] - w[at(d - 1, u)];
    }
    return z;
}

/// Correlated geometric Brownian motion.
inline Traced prices(Exp<Numbers> z) {
    Traced s;
    for (int u = 0; u < underlyings; ++u) {
        Real growth;
        for (int d = 0; d < dates; ++d) {
            Real k = z[at(d, 0)] * correlation[u][0];
            for (int v = 1; v <= u; ++v) k = k + z[at(d, v)] * correlation[u][v];
            const Real f = exp(drift[d][u] + k * volatility[u]);
            growth = d == 0 ? f : growth * f;
            s[at(d, u)] = start[u] * growth;
        }
    }
    return s;
}

/// The worst performer decides: see early_payment. At the end the capital is protected down to three quarters.
inline Real payoff(Exp<Numbers> s) {
    const auto worst = [&](int d) {
        return min(min(s[at(d, 0)] / start[0], s[at(d, 1)] / start[1]), s[at(d, 2)] / start[2]);
    };
    const Real last = worst(dates - 1);
    Real pay = select(last >= 1.f, 1750.f, select(last > 0.75f, 1000.f, 1000.f * last)) * discount[dates - 1];
    for (int d = dates - 2; d >= 0; --d) pay = select(worst(d) >= 1.f, early_payment[d] * discount[d], pay);
    return pay;
}

/// What each path pays, from its point in the unit cube: four maps.
inline Delayed<float> payoffs(const Delayed<Numbers>& points) {
    return map(payoff, map(prices, map(bridge, map(gaussians, points))));
}

/// Points 1 to `paths` of Sobol's sequence.
inline Delayed<Numbers> sobol_points(std::int64_t paths) {
    const auto directions = sobol::table();
    return map([=](Exp<std::int64_t> i) { return sobol::point(directions, i + 1); }, iota(paths));
}

/// The program: five maps over all paths and a sum.
inline Delayed<double, 0> sum_of_payoffs(std::int64_t paths) {
    return sum(map([](Real pay) { return cast<double>(pay); }, payoffs(sobol_points(paths))));
}

}  // namespace option_pricing
