// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A blast in one corner of a cube.
//
//   lulesh [elements per edge]
#include "programs/lulesh.hpp"
#include "programs/progress_bar.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 10;
    const auto grid = lulesh::grid(n);
    const auto outcome = lulesh::simulate(grid, 100000);
    Report report;
    const auto [e, steps] =
        report.timed("to the end", [&] { return run(outcome.e, outcome.steps, {.progress = ProgressBar()}); });
    const double energy = e(0, 0, 0);
    report.value("steps", steps.item());
    report.value("energy of the corner", energy);
    if (n == 5)
        report.exact("steps", steps.item(), 306), report.near("energy of the corner", energy, 1.670602127504e+05, 1e-3);
    if (n == 10)
        report.exact("steps", steps.item(), 593), report.near("energy of the corner", energy, 5.174621896113e+05, 1e-3);
    return report.status();
}
