// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model fitted to prices by derivatives.
//
//   calibration [prices]
#include "programs/calibration.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 100000;
    const Array<double> strikes =
        run(generate(shape(n), [=](auto i) { return 70.0 + 60.0 * cast<double>(i) / static_cast<double>(n - 1); }));
    const Array<double> truth = from({0.2, -0.1, 0.3});
    const Array<double> market = run(call_prices(truth, strikes));
    const auto step = compile(calibration_step);
    Array<double> parameters = from({0.5, 0., 0.});
    Report report;
    for (int k = 0; k < 8; ++k) {
        auto [next, error] = step(parameters, strikes, market, k < 2 ? 0.1 : 0.0);
        std::cout << "step " << k << ": mean squared error " << error.item() / static_cast<double>(n) << '\n';
        parameters = next;
    }
    for (std::int64_t k = 0; k < 3; ++k) report.near("parameter", parameters(k), truth(k), 1e-9);
    report.timed("one step", [&] { return step(parameters, strikes, market, 0.0); });
    return report.status();
}
