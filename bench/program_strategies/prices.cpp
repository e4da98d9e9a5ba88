// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <option_pricing/payoffs.hpp>
#include <programs/black_scholes.hpp>
#include <programs/local_volatility.hpp>

namespace bench {
namespace {

using namespace programs;

Planner priced(std::int64_t n, Vector (*distribution)(Vector)) {
    const auto [price, strike, years] = generated_options(n);
    const auto [call, put] = black_scholes(price, strike, years, 0.02, 0.3, distribution);
    return planner(std::tuple(call, put));
}

}  // namespace

std::vector<Program> prices() {
    return {
        {"Black-Scholes", [] { return priced(1 << 18, exact_distribution); }},
        {"Black-Scholes, polynomial", [] { return priced(1 << 20, polynomial_distribution); }},
        {"option pricing", [] { return planner(option_pricing::sum_of_payoffs(1 << 17)); }},
        {"local volatility",
         [] { return planner(option_values(Model<float>{16, 64, 64, 12, 0.03f, 5, 0.2f, 0.6f, 0.5f})); }},
    };
}

}  // namespace bench
