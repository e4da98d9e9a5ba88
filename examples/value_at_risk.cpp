// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value at risk of a portfolio by Monte Carlo, beside the formula that normal returns have.
//
//   value_at_risk [paths] [picture.png]
#include "programs/value_at_risk.hpp"

#include <sinter/png.hpp>

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t paths = argc > 1 ? std::atoll(argv[1]) : 1000000;
    const Array<double> values = from(std::vector<double>{5e6, -2e6, 3e6});
    const Array<double, 2> covariance =
        from(std::vector<double>{4e-4, 1e-4, 5e-5, 1e-4, 2e-4, 0, 5e-5, 0, 1e-4}, shape(3, 3));
    auto simulate = compile([=](Delayed<double> v, Delayed<double, 2> c, Exp<double> tail) {
        const auto losses = portfolio_losses(paths, v, c);
        const auto [at_risk, shortfall] = value_at_risk(losses, tail);
        return std::tuple(at_risk, shortfall, picture_of_losses(losses, Exp<double>(4e5), at_risk(), 240, 480));
    });
    Report report;
    const auto [at_risk, shortfall, picture] =
        report.timed("simulation", [&] { return simulate(values, covariance, 0.01); });

    // Losses are normal with the variance values * covariance * values; 2.326 and 2.665 are the normal distribution's.
    const double deviation = std::sqrt(run(dot(values, matmul(covariance, values))).item());
    const double tolerance = 30 / std::sqrt(static_cast<double>(paths));
    report.near("1 % value at risk, in deviations", at_risk.item() / deviation, 2.326348, tolerance);
    report.near("expected shortfall, in deviations", shortfall.item() / deviation, 2.665214, tolerance);
    if (argc > 2) save_png(argv[2], picture);
    return report.status();
}
