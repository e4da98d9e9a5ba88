// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of European calls and puts, written as formulas on whole arrays.
//
//   black_scholes [options]
//
// Some twenty array operations, two results, one pass over memory: explain() tells.
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <vector>

using namespace sinter;

namespace {

using Vector = Delayed<double>;

Vector normal_distribution(Vector x) { return erfc(x * -0.70710678118654752440) / 2.; }

struct Prices {
    Vector call, put;
};

Prices black_scholes(Vector price, Vector strike, Vector years, double rate, double volatility) {
    Vector spread = volatility * sqrt(years);
    Vector d1 = (log(price / strike) + (rate + volatility * volatility / 2) * years) / spread;
    Vector d2 = d1 - spread;
    Vector discounted = strike * exp(-rate * years);
    return {price * normal_distribution(d1) - discounted * normal_distribution(d2),
            discounted * normal_distribution(-d2) - price * normal_distribution(-d1)};
}

/// Number i of stream s, in [0, 1): the generator SplitMix64.
double unit(std::uint64_t s, std::uint64_t i) {
    std::uint64_t z = s + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Array<double> generated(std::int64_t n, std::uint64_t stream, double low, double width) {
    std::vector<double> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = low + width * unit(stream, i);
    return from(v);
}

bool check(const char* what, double got, double expected, double tolerance) {
    const bool good = std::abs(got - expected) <= tolerance;
    std::printf("%-14s%.10f   expected %.10f: %s\n", what, got, expected, good ? "ok" : "WRONG");
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1000000;
    const Array<double> price = generated(n, 21, 5, 25), strike = generated(n, 22, 1, 99),
                        years = generated(n, 23, 0.25, 9.75);
    const auto [call, put] = black_scholes(price, strike, years, 0.02, 0.3);

    // Parity: a call less its put is the price less the discounted strike, whatever the distribution is.
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
