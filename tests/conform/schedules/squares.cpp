// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps that read against the grain: squares of points whose elements are transposed in registers, and what is left of them.
#include "conform/support.hpp"

#include <array>

using namespace sinter;
using namespace conform;

namespace {

const std::vector<std::array<std::int64_t, 2>> shapes = {
    {1, 1},   {1, 40},   {40, 1},  {15, 16}, {16, 16}, {16, 17}, {17, 15},  {4, 64}, {64, 4}, {33, 65},
    {65, 33}, {70, 130}, {257, 9}, {9, 257}, {64, 64}, {80, 48}, {300, 70}, {0, 20}, {20, 0}};

}  // namespace

TEMPLATE_TEST_CASE("transposed matrices", "[squares]", bool, std::int8_t, std::uint16_t, std::int32_t, std::int64_t, half,
                   float, double) {
    for (auto [m, n] : shapes) {
        CAPTURE(m, n);
        const Array<TestType, 2> x = from(numbers<TestType>(m * n), shape(m, n));
        const auto result = everywhere(transpose(x));
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < m; ++j) REQUIRE(result(i, j) == x(j, i));
    }
}

TEMPLATE_TEST_CASE("elements against the grain and along it", "[squares]", std::uint8_t, std::int32_t, float, double) {
    for (auto [m, n] : shapes) {
        CAPTURE(m, n);
        const Array<TestType, 2> x = from(numbers<TestType>(m * n), shape(m, n)),
                                 y = from(numbers<TestType>(m * n, 5), shape(n, m));
        const Array<double, 2> wide = from(numbers<double>(m * n, 3), shape(m, n));
        everywhere(transpose(x) + y);
        everywhere(transpose(x) * transpose(x + x) - y);
        everywhere(map([](auto a, auto b, auto c) { return cast<double>(a) * b + cast<double>(c); }, transpose(x),
                       transpose(wide), y));
        everywhere(map_indexed([](auto i, auto j, auto v) { return v + cast<TestType>(i % 3 - j % 2); }, transpose(x)));
        everywhere(zip(transpose(x), transpose(wide)));
        everywhere(transpose(reverse(x, 0)));
        everywhere(transpose(reverse(x, 1)));
        if (m > 3 && n > 3) everywhere(transpose(slice(x, range(1, m - 1), range(2, n))));
    }
}

TEMPLATE_TEST_CASE("axes in every order", "[squares]", std::int16_t, float, double) {
    for (auto [a, b, c] : {std::array{2, 3, 4}, {3, 17, 20}, {5, 64, 16}, {2, 33, 70}, {20, 2, 33}, {16, 16, 16}}) {
        CAPTURE(a, b, c);
        const Array<TestType, 3> x = from(numbers<TestType>(a * b * c), shape(a, b, c));
        everywhere(transpose(x, {0, 2, 1}));
        everywhere(transpose(x, {1, 0, 2}));
        everywhere(transpose(x, {1, 2, 0}));
        everywhere(transpose(x, {2, 0, 1}));
        everywhere(transpose(x, {2, 1, 0}));
        everywhere(vmap([](auto m) { return transpose(m); }, x));
    }
}

TEMPLATE_TEST_CASE("neighbours in transposed matrices", "[squares]", std::uint8_t, std::int32_t, double) {
    for (auto [m, n] : shapes) {
        CAPTURE(m, n);
        const Delayed<TestType, 2> x = transpose(from(numbers<TestType>(m * n), shape(m, n)));
        for (auto [down, right] : {std::array{0, 2}, {2, 0}, {-1, 1}}) {
            auto beside = [down = down, right = right](auto near) { return near(0, 0) + near(down, right); };
            everywhere(stencil(beside, boundary::mirror, x));
            everywhere(stencil(beside, boundary::wrap, x));
            everywhere(stencil(beside, boundary::clamp, x));
            everywhere(stencil(beside, boundary::constant(TestType(3)), x));
        }
    }
}

TEST_CASE("matrices larger than the caches", "[squares]") {
    for (std::int64_t n : {2560, 2562}) {  // rows of whole lines, and others
        CAPTURE(n);
        const auto values = numbers<float>(n * n);
        const auto result = run(transpose(from(values, shape(n, n))) * 2.f);
        const float* r = result.data();
        bool right = true;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                right = right && r[i * n + j] == 2 * values[static_cast<std::size_t>(j * n + i)];
        REQUIRE(right);
    }
}
