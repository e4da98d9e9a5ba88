// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of European calls and puts, written as formulas on whole arrays.
//
//   black_scholes [options]
//
// Some twenty array operations with two results become one pass over memory, as explain() shows.
#include "programs/black_scholes.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <tuple>

using namespace programs;

namespace {

bool check(const char* what, double got, double expected, double tolerance) {
    const bool good = std::abs(got - expected) <= tolerance;
    std::printf("%-14s%.10f   expected %.10f: %s\n", what, got, expected, good ? "ok" : "WRONG");
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1000000;
    const auto [price, strike, years] = generated_options(n);
    const auto [call, put] = black_scholes(price, strike, years, 0.02, 0.3, exact_distribution);

    // Parity: a call minus its put is the price minus the discounted strike, whatever the distribution is.
    const auto [first_call, first_put, calls, puts, parity] =
        run(take(call, 1), take(put, 1), sum(call), sum(put), max(abs(call - put - (price - strike * exp(-0.02 * years)))));
    bool good = check("call 0", first_call(0), 0.0169832393182021, 1e-11);
    good &= check("put 0", first_put(0), 59.6553264566917, 1e-11);
    good &= check("parity", parity.item(), 0, 1e-11);
    if (n == 1000) {
        good &= check("sum of calls", calls.item(), 2911.27960320937, 1e-7);
        good &= check("sum of puts", puts.item(), 31576.1512481619, 1e-7);
    }

    const auto both = std::tuple(call, put);
    std::printf("not fused     %zu kernels, %.1f bytes an option\n",
                explain(both, {.fusion = Fusion::none}).clusters().size(),
                double(explain(both, {.fusion = Fusion::none}).bytes_moved()) / double(n));
    std::printf("fused         %zu kernels, %.1f bytes an option\n", explain(both).clusters().size(),
                double(explain(both).bytes_moved()) / double(n));
    return good ? 0 : 1;
}
