// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The price of a European call by Monte Carlo, on any number of ranks: every rank simulates some of the paths, and the price
// has the same bits, because random numbers belong to paths and not to ranks.
//
//   option_on_ranks [paths]
//   mpirun -n 4 option_on_ranks 1000000000
#include <sinter/random.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace sinter;

int main(int argc, char** argv) {
    const Ranks ranks(argc, argv);
    const std::int64_t paths = argc > 1 ? std::atoll(argv[1]) : 4000000;
    const double spot = 100, strike = 105, rate = 0.02, volatility = 0.2, years = 1;
    const double drift = (rate - volatility * volatility / 2) * years, spread = volatility * std::sqrt(years);
    const auto payoff = map([=](Exp<double> z) { return max(spot * exp(drift + spread * z) - strike, 0.0); },
                            normal<double>(Key{2026, 0}, shape(paths)));
    const double price = std::exp(-rate * years) * run(sum(payoff)).item() / static_cast<double>(paths);
    // Black and Scholes
    auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const double d = (std::log(spot / strike) + rate * years) / spread + spread / 2;
    const double exact = spot * below(d) - strike * std::exp(-rate * years) * below(d - spread);
    if (ranks.first()) std::printf("%s; price %a = %.5f, in the limit %.5f\n", ranks.explain().c_str(), price, price, exact);
    return std::abs(price - exact) < 60 / std::sqrt(static_cast<double>(paths)) ? 0 : 1;
}
