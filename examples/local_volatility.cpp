// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of call options by a partial differential equation of two dimensions, for many strikes at once.
//
//   local_volatility [strikes] [nx] [ny] [steps]
#include "programs/local_volatility.hpp"
#include "programs/progress_bar.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    Model<float> m{41, 24, 20, 12, 0.03f, 5, 0.2f, 0.6f, 0.5f};
    if (argc > 4)
        m.strikes = std::atoll(argv[1]), m.nx = std::atoll(argv[2]), m.ny = std::atoll(argv[3]), m.nt = std::atoll(argv[4]);
    Report report;
    const Array<float> values = report.timed("values", [&] { return run(option_values(m), {.progress = ProgressBar()}); });
    report.near("strike 0", values(0), 0.03, 1e-5);
    if (m.strikes == 41 && m.nx == 24) report.near("strike 0.04", values(40), 0.0150106752, 4e-6);
    if (m.strikes == 16 && m.nx == 32) report.near("strike 0.015", values(15), 0.0219911325, 2e-5);
    if (m.strikes == 128 && m.nx == 256) report.near("strike 0.127", values(127), 0.0070687161, 7e-6);
    return report.status();
}
