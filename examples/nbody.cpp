// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies under their own gravity.
//
//   nbody [bodies] [steps]
#include "programs/nbody.hpp"
#include "programs/progress_bar.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 2 ? std::atoll(argv[1]) : 1000, steps = argc > 2 ? std::atoll(argv[2]) : 10;
    const Bodies<float> bodies = make_bodies<float>(n);
    Report report;
    const auto after = report.timed("steps", [&] {
        const auto pull = [&](Delayed<Vector3<float>> positions) {
            return accelerations<float>(positions, bodies.masses, 0.05f);
        };
        return run(simulate(bodies, steps, 0.01f, pull), {.progress = ProgressBar()});
    });
    double x = 0;
    for (const auto& [position, velocity] : after.to_vector()) x += std::get<0>(position);
    if (n == 100 && steps == 10) report.near("sum of x", x, 1.55575394603, 1e-4);
    if (n == 1000 && steps == 10) report.near("sum of x", x, -19.0967643261, 1e-3);
    return report.status();
}
