// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/calibration.hpp>

using namespace programs;

TEST_CASE("calibration finds the parameters that made the prices", "[calibration]") {
    const Array<double> strikes = from({70., 80., 90., 100., 110., 120., 130.}), truth = from({0.2, -0.1, 0.3});
    for (const Target& target : {Target::interpreter(), Target::host(1), Target::host(2)}) {
        const Options options{.target = target};
        const Array<double> market = run(call_prices(truth, strikes), options);
        Array<double> parameters = from({0.5, 0., 0.});
        const auto step = compile(calibration_step, options);
        for (int k = 0; k < 10; ++k) parameters = std::get<0>(step(parameters, strikes, market, k < 2 ? 0.1 : 0.0));
        for (std::int64_t k = 0; k < 3; ++k) CHECK(parameters(k) == Approx(truth(k)).margin(1e-9));
    }
}
