// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of points in the plane.
//
//   kmeans [points] [clusters]
#include "programs/kmeans.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 2 ? std::atoll(argv[1]) : 200000, k = argc > 2 ? std::atoll(argv[2]) : 5;
    const Array<Point> points = blobs(n, k);
    Report report;
    const auto [centres, steps] = report.timed("clusters", [&] { return run(kmeans(k, points)); });
    for (const auto& [x, y] : centres.to_vector()) std::cout << "  " << x << ' ' << y << '\n';
    if (n == 1000 && k == 7) {
        report.exact("steps", steps.item(), 11);
        report.near("first centre", std::get<0>(centres(0)), 0.629319, 1e-4);
    }
    if (n == 200000 && k == 5) {
        report.exact("steps", steps.item(), 3);
        report.near("first centre", std::get<0>(centres(0)), -0.8087227, 1e-4);
    }
    return report.status();
}
