// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/black_scholes.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("Black-Scholes: by hand") {
    struct Row {
        double price, strike, years, rate, volatility, call, put, polynomial_call, polynomial_put;
    };
    for (const Row& r :
         {Row{100, 100, 1, 0.05, 0.2, 10.4505835721856, 5.57352602225697, 10.4505756193223, 5.57351806939369},
          {10, 20, 2, 0.02, 0.3, 0.154868525286694, 9.37065730833316, 0.154869992606459, 9.37065877565292},
          {30, 20, 0.25, 0.02, 0.3, 10.1031891251171, 0.00343870897079222, 10.1031881577651, 0.00343774161871711},
          {58, 65, 0.5, 0.08, 0.3, 3.16626079371723, 7.61757433861824, 3.16626244650429, 7.6175759914053},
          {5, 90, 10, 0.02, 0.3, 0.0111525062610002, 68.6969202832794, 0.0111481743877565, 68.6969159514061}}) {
        const double tolerance = 1e-13 * (r.price + r.strike);
        const auto price = from({r.price}), strike = from({r.strike}), years = from({r.years});
        const auto exact = black_scholes(price, strike, years, r.rate, r.volatility, exact_distribution);
        CHECK(std::abs(everywhere(exact.call)(0) - r.call) <= tolerance);
        CHECK(std::abs(everywhere(exact.put)(0) - r.put) <= tolerance);
        const auto close = black_scholes(price, strike, years, r.rate, r.volatility, polynomial_distribution);
        CHECK(std::abs(everywhere(close.call)(0) - r.polynomial_call) <= tolerance);
        CHECK(std::abs(everywhere(close.put)(0) - r.polynomial_put) <= tolerance);
    }
}

TEST_CASE("Black-Scholes: generated") {
    const auto [price, strike, years] = generated_options(1000);
    const auto [call, put] = black_scholes(price, strike, years, 0.02, 0.3, exact_distribution);
    const auto calls = everywhere(call), puts = everywhere(put);
    CHECK(calls(0) == Approx(0.0169832393182021).margin(1e-11));
    CHECK(calls(1) == Approx(1.05613979278985).margin(1e-11));
    CHECK(run(sum(calls)).item() == Approx(2911.27960320937).epsilon(1e-13));
    CHECK(run(sum(puts)).item() == Approx(31576.1512481619).epsilon(1e-13));
    const auto polynomial = black_scholes(price, strike, years, 0.02, 0.3, polynomial_distribution);
    CHECK(run(sum(everywhere(polynomial.call))).item() == Approx(2911.27940339066).epsilon(1e-12));
    CHECK(explain(std::tuple(call, put)).clusters().size() == 1);
    CHECK(explain(std::tuple(call, put)).bytes_moved() < 5 * 8 * 1000 + 100);
}

TEST_CASE("Black-Scholes: years") {
    constexpr std::int64_t n = 365;
    const auto price = make_input(n, [](Exp<std::int64_t> i) { return 58. + 4 * cast<double>(i + 1) / double(n); });
    const auto years = make_input(n, [](Exp<std::int64_t> i) { return cast<double>(i + 1) / 365.; });
    const auto prices = black_scholes(price, fill(shape(n), 65.), years, 0.08, 0.3, exact_distribution);
    const auto calls = everywhere(prices.call);
    CHECK(calls(182) == Approx(4.04970092534418).margin(1e-11));
    CHECK(calls(364) == Approx(8.31519140212737).margin(1e-11));
    CHECK(run(sum(calls)).item() == Approx(1467.014267851).epsilon(1e-12));
    CHECK(run(sum(prices.put)).item() == Approx(2363.32416509928).epsilon(1e-12));
}
