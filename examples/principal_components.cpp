// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Principal components of a cloud of points that is long, flat and turned.
//
//   principal_components [points] [picture.png]
#include "programs/principal_components.hpp"

#include <sinter/png.hpp>

#include <algorithm>
#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 100000;
    const Array<double, 2> points = cigar(n);
    auto analyse = compile([](Delayed<double, 2> p) { return principal_components(p); });
    Report report;
    const auto [deviations, directions, turned] = report.timed("components", [&] { return analyse(points); });
    const double tolerance = 10 / std::sqrt(static_cast<double>(n));
    const double expected[] = {0.5, 2, 5};
    for (int k = 0; k < 3; ++k) report.near("deviation", deviations(k), expected[k], expected[k] * tolerance);
    report.near("longest direction, x / y", std::abs(directions(1, 2) / directions(0, 2)), std::tan(0.6), tolerance);
    // In the new coordinates nothing is correlated.
    const auto covariance = run(matmul(transpose(turned), turned) / static_cast<double>(n));
    report.near("correlation", covariance(0, 2) / (deviations(0) * deviations(2)), 0, 1e-9);
    if (argc > 2)
        save_png(argv[2],
                 run(picture_of_points(take(points, std::min<std::int64_t>(n, 3000)) - 10.0, deviations, directions, 360)));
    return report.status();
}
