// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Poisson problem by multigrid: kernel MG of the NAS Parallel Benchmarks.
//
//   multigrid [class: S, W, A or B]
#include "programs/multigrid.hpp"
#include "programs/progress_bar.hpp"

using namespace programs;

int main(int argc, char** argv) {
    MultigridClass c{32, 4, smoother_a};
    double expected = 0.5307707005734e-04;
    switch (argc > 1 ? argv[1][0] : 'S') {
        case 'W':
            c = {128, 4, smoother_a}, expected = 0.6467329375339e-05;
            break;
        case 'A':
            c = {256, 4, smoother_a}, expected = 0.2433365309069e-05;
            break;
        case 'B':
            c = {256, 20, smoother_b}, expected = 0.1800564401355e-05;
            break;
    }
    const Array<double, 3> v = right_hand_side(c.n);
    Report report;
    const double norm =
        report.timed("norm", [&] { return run(residual_norm(v, solution(c, v), c.n), {.progress = ProgressBar()}).item(); });
    report.near("norm", norm, expected, 1e-8 * expected);
    return report.status();
}
