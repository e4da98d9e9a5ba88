// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Monte-Carlo price of a contract on three stock indices over five years.
//
//   option_pricing [paths]
//
// Each step is an array operation over all paths, as one would explain it. Fusion makes one kernel of them, in which a
// path's fifteen numbers never leave the registers.
#include "contract.hpp"
#include "gaussian.hpp"
#include "sobol.hpp"

#include <sinter/sinter.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace sinter;
using namespace contract;

namespace {

using Real = Exp<float>;
using Numbers = std::array<float, coordinates>;  // one a date and underlying, as an element of an array
using Traced = std::array<Real, coordinates>;    // and while its computation is recorded

constexpr int at(int date, int underlying) { return date * underlyings + underlying; }

Traced gaussians(Exp<Numbers> uniform) {
    Traced g;
    for (int c = 0; c < coordinates; ++c) g[c] = gaussian::quantile(uniform[c]);
    return g;
}

/// Brownian bridge: the last date first, then each date between two that are known. Gives the path's increments.
Traced bridge(Exp<Numbers> g) {
    struct Step {
        int to, left, right;
    };  // positions; left -1 is today
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
Traced prices(Exp<Numbers> z) {
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

/// The worst performer decides: see early_payment; at the end the capital is protected down to three quarters.
Real payoff(Exp<Numbers> s) {
    const auto worst = [&](int d) {
        return min(min(s[at(d, 0)] / start[0], s[at(d, 1)] / start[1]), s[at(d, 2)] / start[2]);
    };
    const Real last = worst(dates - 1);
    Real pay = select(last >= 1.f, 1750.f, select(last > 0.75f, 1000.f, 1000.f * last)) * discount[dates - 1];
    for (int d = dates - 2; d >= 0; --d) pay = select(worst(d) >= 1.f, early_payment[d] * discount[d], pay);
    return pay;
}

/// The program: five maps over all paths and a sum.
Delayed<double, 0> sum_of_payoffs(std::int64_t paths) {
    const auto directions = sobol::table();
    auto points = map([&](Exp<std::int64_t> i) { return sobol::point(directions, i + 1); }, iota(paths));
    auto increments = map(bridge, map(gaussians, points));
    auto payoffs = map(payoff, map(prices, increments));
    return sum(map([](Real pay) { return cast<double>(pay); }, payoffs));
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Prints the price beside the reference; false if they differ by more than rounding.
bool report_price(std::int64_t paths, double price) {
    std::printf("price         %.6f", price);
    for (const Reference& r : references) {
        if (r.paths != paths) continue;
        const bool good = std::abs(price - r.price) <= 1e-5 * r.price;
        std::printf("   reference %.6f: %s", r.price, good ? "ok" : "WRONG");
        if (paths == 1048576) std::printf("   published, one running float sum: %.6f", published_price);
        std::printf("\n");
        return good;
    }
    std::printf("   (references exist for 1000, 65536 and 1048576 paths)\n");
    return true;
}

void report_fusion(const Delayed<double, 0>& program) {
    const Explanation before = explain(program, {.fusion = Fusion::none}), after = explain(program);
    std::printf("not fused     %zu kernels, %.1f MB moved\n", before.clusters().size(), double(before.bytes_moved()) / 1e6);
    std::printf("fused         %zu kernel%s, %lld bytes moved\n", after.clusters().size(),
                after.clusters().size() == 1 ? "" : "s", static_cast<long long>(after.bytes_moved()));
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t paths = argc > 1 ? std::atoll(argv[1]) : 1048576;
    std::printf("%lld paths of %d dates and %d underlyings\n", static_cast<long long>(paths), dates, underlyings);

    auto begin = std::chrono::steady_clock::now();
    const double price = run(sum_of_payoffs(paths)).item() / double(paths);
    const double first = milliseconds_since(begin);
    const bool good = report_price(paths, price);

    double later = first;
    for (int k = 0; k < 5; ++k) {
        begin = std::chrono::steady_clock::now();
        run(sum_of_payoffs(paths)).item();
        later = std::fmin(later, milliseconds_since(begin));
    }
    std::printf("first call    %.1f ms, compilation included\n", first);
    std::printf("later calls   %.1f ms, %.0f million paths a second\n", later, double(paths) / later / 1e3);
    report_fusion(sum_of_payoffs(paths));
    return good ? 0 : 1;
}
