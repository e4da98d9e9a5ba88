// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products of floats under Options::tf32: a card's tensor cores may round the factors and add the products.
#include "conform/support.hpp"

#include <sinter/linalg.hpp>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

constexpr Options tf32{.contract = true, .tf32 = true};

Array<float, 2> floats(std::int64_t rows, std::int64_t columns, int seed) {
    std::vector<float> values;
    std::uint64_t state = static_cast<std::uint64_t>(seed);
    for (std::int64_t k = 0; k < rows * columns; ++k) {
        state = state * 6364136223846793005 + 1442695040888963407;
        values.emplace_back(static_cast<float>(state >> 40) * 0x1p-23f - 1);
    }
    return from(values, shape(rows, columns));
}

/// Some of the elements, against sums in double: docs/reference/numbers.md states the bound.
void require_close(const Array<float, 2>& result, const Array<float, 2>& x, const Array<float, 2>& y) {
    const auto [m, n] = std::pair(result.shape()[0], result.shape()[1]);
    const std::int64_t elements = x.shape()[1];
    for (std::int64_t i = 0; i < m; i += std::max<std::int64_t>(1, m / 61))
        for (std::int64_t j = 0; j < n; j += std::max<std::int64_t>(1, n / 59)) {
            double exact = 0, sizes = 0;
            for (std::int64_t e = 0; e < elements; ++e) {
                const double term = double(x(i, e)) * double(y(e, j));
                exact += term;
                sizes += std::abs(term);
            }
            CAPTURE(i, j, exact);
            const double bound = 1.001 * 0x1p-10 + double(elements) * 0x1p-23;
            REQUIRE(std::abs(double(result(i, j)) - exact) <= bound * sizes);
        }
}

bool is_emulated_card() {
    const char* target = std::getenv("SINTER_TARGET");
    return target && std::string_view(target).starts_with("gpu_emulated");
}

template <class E>
bool is_by_tensor_cores(const E& expression, const Options& options) {
    std::string all;
    for (const auto& kernel : explain(expression, options).kernels()) all += kernel.schedule + "\n";
    CAPTURE(all);
    REQUIRE(all.find("a tile of points") != std::string::npos);
    return all.find("by tensor cores as TF32") != std::string::npos;
}

}  // namespace

TEST_CASE("tensor cores add products of floats only on request", "[contract][contraction]") {
    if (!is_emulated_card()) return;
    const auto x = floats(500, 37, 1), y = floats(37, 250, 2);
    CHECK(is_by_tensor_cores(matmul(x, y), tf32));
    CHECK(is_by_tensor_cores(matmul(x * 2.f, y) + 1.f, tf32));
    CHECK(!is_by_tensor_cores(matmul(x, y), {.contract = true}));
    CHECK(!is_by_tensor_cores(matmul(cast<double>(x), cast<double>(y)), tf32));
}

TEST_CASE("products of floats as TF32 are as close as they should be", "[contract][contraction]") {
    for (auto [m, k, n] :
         {std::tuple(3, 5, 4), std::tuple(500, 37, 250), std::tuple(449, 8, 260), std::tuple(64, 16, 2050)}) {
        CAPTURE(m, k, n);
        const auto x = floats(m, k, 1), y = floats(k, n, 2);
        require_close(run(matmul(x, y), tf32), x, y);
        require_close(run(matmul(transpose(run(transpose(x))), y), tf32), x, y);
        require_close(run(matmul(x, transpose(run(transpose(y)))), tf32), x, y);
    }
}

TEST_CASE("targets without TF32 give what contract gives", "[contract][contraction]") {
    const auto x = floats(500, 37, 1), y = floats(37, 250, 2);
    for (const Target& target : {Target::host(), Target::interpreter()})
        require_same(run(matmul(x, y), {.target = target, .contract = true, .tf32 = true}).to_vector(),
                     run(matmul(x, y), {.target = target, .contract = true}).to_vector());
    const auto wide = cast<double>(x);
    require_same(run(matmul(wide, cast<double>(y)), tf32).to_vector(),
                 run(matmul(wide, cast<double>(y)), {.contract = true}).to_vector());
}

TEST_CASE("sums of numbers that TF32 holds are exact, infinities and NaNs remain", "[contract][contraction]") {
    const std::int64_t m = 470, k = 41, n = 310;
    auto x = run(generate(shape(m, k), [](auto i, auto e) { return cast<float>((i * 7 + e * 3) % 2048 - 1024); }));
    auto y = run(generate(shape(k, n), [](auto e, auto j) { return cast<float>((e * 5 + j * 11) % 13 - 6); }));
    require_same(run(matmul(x, y), {.target = Target::interpreter()}).to_vector(), run(matmul(x, y), tf32).to_vector());
    auto last = [=](float v) { return [=](auto, auto e) { return select(e == k - 1, v, 1.f); }; };
    const float infinite = std::numeric_limits<float>::infinity(), nan = std::bit_cast<float>(0x7f800001u);
    const auto ones = run(map([](auto v) { return v * 0.f + 1.f; }, y));
    for (float v : run(matmul(generate(shape(m, k), last(infinite)), ones), tf32).to_vector()) REQUIRE(v == infinite);
    for (float v : run(matmul(run(generate(shape(m, k), last(nan))), ones), tf32).to_vector()) REQUIRE(std::isnan(v));
}

TEST_CASE("TF32 without contract is an error", "[contract][errors]") {
    REQUIRE_THROWS_AS(run(from({1.f}) + 1.f, {.tf32 = true}), UsageError);
}
