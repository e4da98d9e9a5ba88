// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of local_volatility fitted to prices by gradient descent, with a picture of the errors.
//
//   local_volatility_fit [steps] [picture.png]
#include "programs/local_volatility_fit.hpp"

#include <sinter/png.hpp>

#include <algorithm>
#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t steps = argc > 1 ? std::max(std::atoll(argv[1]), 2LL) : 40;
    const Model<double> m{41, 24, 20, 12, 0.03, 5, 0.2, 0.6, 0.5};
    const Grid<double> grid = grid_of(m);
    const Array<double> truth = from({0.3, 0.45, 0.8}), guess = from({0.0, 0.6, 0.5});
    const Array<double> market = compile([=](Delayed<double> p) { return fitted_values(m, grid, p); })(truth);
    const auto step = compile(descent_step(m, grid));
    Array<double> parameters = guess, before = guess, gradient_before = from({0., 0., 0.});
    std::vector<double> errors;
    for (std::int64_t k = 0; k < steps; ++k) {
        auto [next, error, gradient] = step(parameters, before, gradient_before, market, k == 0 ? 0.02 : 0.0);
        errors.push_back(error.item());
        before = parameters, parameters = next, gradient_before = gradient;
        if (k % 10 == 0) std::cout << "step " << k << ": mean squared error " << errors.back() << '\n';
    }
    Report report;
    for (std::int64_t k = 0; k < 3; ++k) report.near("parameter", parameters(k), truth(k), 1e-3);
    report.timed("one step", [&] { return step(parameters, before, gradient_before, market, 0.02); });
    auto value = compile([=](Delayed<double> p, Delayed<double> prices) { return fitting_error(m, grid)(p, prices); });
    report.timed("the error alone", [&] { return value(parameters, market); });
    std::vector<double> relative;
    for (double error : errors) relative.push_back(error / errors.front());
    if (argc > 2) save_png(argv[2], run(picture_of_descent(from(relative), 1e-16, 300, 481)));
    return report.status();
}
