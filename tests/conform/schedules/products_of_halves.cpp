// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products of halves, added as floats: under Options::contract, a card's tensor cores may add them.
#include "conform/support.hpp"

#include <sinter/linalg.hpp>

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

constexpr Options contract{.contract = true};

Array<half, 2> halves(std::int64_t rows, std::int64_t columns, int seed, float scale) {
    std::vector<half> values;
    std::uint64_t state = static_cast<std::uint64_t>(seed);
    for (std::int64_t k = 0; k < rows * columns; ++k) {
        state = state * 6364136223846793005 + 1442695040888963407;
        values.emplace_back(scale * (static_cast<float>(state >> 40) * 0x1p-23f - 1));
    }
    return from(values, shape(rows, columns));
}

/// Rows of x with columns of y. Halves are widened where they are multiplied, not in arrays of their own.
template <class X, class Y>
auto product(const X& x, const Y& y) {
    auto widened = [](auto a, auto b) { return cast<float>(a) * cast<float>(b); };
    auto inner = [=](auto row, auto column) { return sum(map(widened, row, column)); };
    return vmap([=](auto row) { return vmap([=](auto column) { return inner(row, column); }, transpose(y)); }, x);
}

/// The same in the natural form.
template <class X, class Y>
auto natural(const X& x, const Y& y) {
    return matmul(cast<float>(x), cast<float>(y));
}

/// Some of the elements, against sums in double: docs/reference/numbers.md states the bound.
void require_close(const Array<float, 2>& result, const Array<half, 2>& x, const Array<half, 2>& y) {
    const auto [m, n] = std::pair(result.shape()[0], result.shape()[1]);
    const std::int64_t elements = x.shape()[1];
    for (std::int64_t i = 0; i < m; i += std::max<std::int64_t>(1, m / 61))
        for (std::int64_t j = 0; j < n; j += std::max<std::int64_t>(1, n / 59)) {
            double exact = 0, sizes = 0;
            for (std::int64_t e = 0; e < elements; ++e) {
                const double term = double(float(x(i, e))) * double(float(y(e, j)));
                exact += term;
                sizes += std::abs(term);
            }
            CAPTURE(i, j, exact);
            REQUIRE(std::abs(double(result(i, j)) - exact) <= double(elements) * 0x1p-23 * sizes);
        }
}

/// How the kernels run on the emulated card; empty where another target is tested.
template <class E>
std::string on_emulated_card(const E& expression, bool contracts) {
    const char* target = std::getenv("SINTER_TARGET");
    if (!target || !std::string_view(target).starts_with("gpu_emulated")) return {};
    std::string all;
    for (const auto& kernel : explain(expression, {.contract = contracts}).kernels()) all += kernel.schedule + "\n";
    return all;
}

}  // namespace

TEST_CASE("tensor cores add products of halves only where products may stay exact", "[contract][contraction]") {
    const auto x = halves(500, 37, 1, 1), y = halves(37, 250, 2, 3);
    const std::string exact = on_emulated_card(product(x, y), true), rounded = on_emulated_card(product(x, y), false);
    if (exact.empty()) return;
    CAPTURE(exact, rounded);
    REQUIRE(exact.find("by tensor cores") != std::string::npos);
    const std::string cast_before = on_emulated_card(natural(x, y), true);
    CAPTURE(cast_before);
    REQUIRE(cast_before.find("by tensor cores") != std::string::npos);
    REQUIRE(cast_before.find("a thread per point") == std::string::npos);
    REQUIRE(on_emulated_card(natural(x, y), false).find("by tensor cores") == std::string::npos);
    REQUIRE(rounded.find("by tensor cores") == std::string::npos);
    REQUIRE(rounded.find("a tile of points") != std::string::npos);
}

TEST_CASE("products of halves are added as floats", "[contract][contraction]") {
    for (auto [m, k, n] :
         {std::tuple(3, 5, 4), std::tuple(500, 37, 250), std::tuple(449, 16, 260), std::tuple(64, 8, 2050)}) {
        CAPTURE(m, k, n);
        const auto x = halves(m, k, 1, 1), y = halves(k, n, 2, 3);
        require_close(run(product(x, y), contract), x, y);
        require_close(run(natural(x, y), contract), x, y);
        require_close(run(natural(transpose(run(transpose(x))), y), contract), x, y);
        require_close(run(product(transpose(run(transpose(x))), y), contract), x, y);
        require_close(run(product(x, transpose(run(transpose(y)))), contract), x, y);
        require_same(run(product(x, y), {.target = Target::interpreter()}).to_vector(), run(product(x, y)).to_vector());
    }
}

TEST_CASE("sums of small integers as halves are exact", "[contract][contraction]") {
    const std::int64_t m = 470, k = 41, n = 310;
    auto x = run(generate(shape(m, k), [](auto i, auto e) { return cast<half>((i * 7 + e * 3) % 15 - 7); }));
    auto y = run(generate(shape(k, n), [](auto e, auto j) { return cast<half>((e * 5 + j * 11) % 13 - 6); }));
    require_same(run(product(x, y), {.target = Target::interpreter()}).to_vector(),
                 run(product(x, y), contract).to_vector());
}

TEST_CASE("what lies beyond a row of halves is not added", "[contract][contraction]") {
    const std::int64_t m = 512, k = 17, n = 256;
    auto x = run(generate(shape(m, k), [=](auto, auto e) {
        return cast<half>(select(e == k - 1, std::numeric_limits<float>::infinity(), 1.f));
    }));
    auto y = run(generate(shape(k, n), [](auto, auto) { return cast<half>(Exp<float>(2.f)); }));
    for (float v : run(product(x, y), contract).to_vector()) REQUIRE(v == std::numeric_limits<float>::infinity());
    auto batches = vmap([=](auto scale) { return product(map([=](auto v) { return v * scale; }, x), y); },
                        from(std::vector<half>{half(1.f), half(-1.f)}));
    const auto both = run(batches, contract);
    REQUIRE(both(0, 3, 4) == std::numeric_limits<float>::infinity());
    REQUIRE(both(1, 3, 4) == -std::numeric_limits<float>::infinity());
}

TEST_CASE("halves that are widened for a product and for something else are stored as floats for that",
          "[contract][contraction]") {
    const auto x = halves(130, 40, 1, 1), y = halves(40, 300, 2, 3);
    const auto wide = cast<float>(x);
    const auto both = run(std::tuple(matmul(wide, cast<float>(y)), wide), contract);
    require_close(std::get<0>(both), x, y);
    require_same(std::get<1>(both).to_vector(), run(cast<float>(x)).to_vector());
}

TEST_CASE("products of halves may become halves again", "[contract][contraction]") {
    const std::int64_t m = 470, k = 21, n = 310;
    auto x = run(generate(shape(m, k), [](auto i, auto e) { return cast<half>((i * 7 + e * 3) % 15 - 7); }));
    auto y = run(generate(shape(k, n), [](auto e, auto j) { return cast<half>((e * 5 + j * 11) % 13 - 6); }));
    const auto expression = cast<half>(natural(x, y) * 0.125f);
    require_same(run(expression, {.target = Target::interpreter()}).to_vector(), run(expression, contract).to_vector());
    const std::string schedule = on_emulated_card(expression, true);
    if (!schedule.empty()) REQUIRE(schedule.find("by tensor cores") != std::string::npos);
}
