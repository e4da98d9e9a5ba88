// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/local_volatility.hpp>
#include <programs/values.hpp>

using namespace programs;

namespace {

template <class Real>
Model<Real> model(std::int64_t strikes, std::int64_t nx, std::int64_t ny, std::int64_t nt) {
    return {strikes, nx, ny, nt, Real(0.03), Real(5), Real(0.2), Real(0.6), Real(0.5)};
}

void require_file(const std::string& name) {
    const auto in = reference_data("local-volatility-calibration/" + name + ".in"),
               out = reference_data("local-volatility-calibration/" + name + ".out");
    if (!in || !out) {
        WARN("skipped: no reference data");
        return;
    }
    Values input(*in), output(*out);
    Model<float> m{};
    for (std::int64_t* size : {&m.strikes, &m.nx, &m.ny, &m.nt}) *size = input.scalar<std::int32_t>();
    for (float* number : {&m.s0, &m.t, &m.alpha, &m.nu, &m.beta}) *number = input.scalar<float>();
    const auto expected = output.array<float>();
    const auto values = run(option_values(m)).to_vector();
    REQUIRE(values.size() == expected.size());
    for (std::size_t k = 0; k < values.size(); ++k) CHECK(values[k] == Approx(expected[k]).epsilon(1e-3));
}

}  // namespace

TEST_CASE("local volatility: a small grid") {
    const std::pair<std::int64_t, double> references[] = {
        {0, 0.03}, {8, 0.0222664501}, {20, 0.0191799601}, {30, 0.016978964}, {40, 0.0150106752}};
    const auto in_float = conform::everywhere_near(option_values(model<float>(41, 24, 20, 12)), 4e-6);
    const auto in_double = run(option_values(model<double>(41, 24, 20, 12)));
    for (const auto& [k, expected] : references) {
        CHECK(std::abs(in_float(k) - expected) <= 4e-6);
        CHECK(in_double(k) == Approx(expected).epsilon(1e-8));
    }
}

TEST_CASE("local volatility: a smaller grid in double, everywhere") {
    conform::everywhere_near(option_values(model<double>(5, 9, 8, 6)), 1e-14);
}

TEST_CASE("local volatility: the files") {
    require_file("small");
    require_file("medium");
}
