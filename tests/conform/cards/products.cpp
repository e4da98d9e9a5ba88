// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and what has their form, in tiles of points whose results are in registers: extents around the edges of
// tiles and of stages, operands in either order, and whatever is fused. Elements are combined in order, so all bits are
// those of the interpreter, whether values round or not.
#include "conform/cards/support.hpp"

#include <array>

using namespace sinter;
using namespace conform;

namespace {

/// Rows, elements, columns: 32 tiles of 64 by 64 points or few more, the last ones not full except in one case. Tiles that
/// are nearly empty keep the number of points small.
const std::vector<std::array<std::int64_t, 3>> shapes = {{70, 8, 1040},  {65, 9, 1025},  {512, 15, 256},
                                                         {1030, 16, 66}, {129, 23, 705}, {70, 7, 1040}};
const std::array<std::int64_t, 3> few = {70, 11, 1040};

template <class T>
Array<T, 2> matrix(std::int64_t rows, std::int64_t columns, int seed = 1) {
    return from(numbers<T>(rows * columns, seed), shape(rows, columns));
}

Array<float, 2> rounding(std::int64_t rows, std::int64_t columns) {
    return from(fractions(rows * columns), shape(rows, columns));
}

/// Combines every row of x with every row of y.
template <class F, class X, class Y>
auto all_pairs(F combine, X x, Y y) {
    return vmap([=](auto row) { return vmap([=](auto other) { return combine(row, other); }, y); }, x);
}

const auto inner = [](auto row, auto other) { return sum(row * other); };

}  // namespace

TEMPLATE_TEST_CASE("products in tiles", "[gpu_products]", std::int8_t, std::uint16_t, std::int32_t, std::int64_t, half,
                   float, double) {
    if (!on_gpu()) return;
    for (auto [m, k, n] : shapes) {
        if (sizeof(TestType) != sizeof(float) && k % 8 < 7 && k != 9) continue;
        CAPTURE(m, k, n);
        const auto x = matrix<TestType>(m, k), y = matrix<TestType>(n, k, 3);
        check_on_gpu(all_pairs(inner, x, y));
        if (k != 9) continue;
        check_on_gpu(all_pairs(inner, x, transpose(run(transpose(y)))));
        check_on_gpu(all_pairs(inner, transpose(run(transpose(x))), y));
    }
}

TEST_CASE("products in tiles round as they do in order", "[gpu_products]") {
    if (!on_gpu()) return;
    for (auto [m, k, n] : {shapes[1], shapes[4]}) {
        CAPTURE(m, k, n);
        const auto x = rounding(m, k), y = rounding(n, k);
        check_on_gpu(all_pairs(inner, x, y));
        check_on_gpu(all_pairs(inner, transpose(run(transpose(x))), transpose(run(transpose(y)))));
    }
    const auto x = rounding(70, 19), y = rounding(16300, 19);  // 128 tiles of 128 by 128 points
    check_on_gpu(all_pairs(inner, x, y));
}

TEST_CASE("products in tiles with what is fused", "[gpu_products]") {
    if (!on_gpu()) return;
    const auto [m, k, n] = few;
    const auto x = rounding(m, k), y = rounding(n, k);
    const Array<float, 2> z = rounding(m, n);
    check_on_gpu(tanh(all_pairs(inner, x, y) * 0.001f) + z);
    check_on_gpu(all_pairs([](auto a, auto b) { return sum((a * 0.5f + 1.f) * exp(b * -0.01f)); }, x, y));
    check_on_gpu(all_pairs([](auto a, auto b) { return sum((a - b) * (a - b)); }, x, y));
    check_on_gpu(all_pairs([](auto a, auto b) { return max(abs(a - b)); }, x, y));
    check_on_gpu(all_pairs([](auto a, auto b) { return fold(std::plus<>{}, 3.5f, a * b); }, x, y));
    const auto product = all_pairs(inner, x, y);
    check_on_gpu(zip(product, product * 2.f - z));
}

TEST_CASE("operators that do not commute in tiles", "[gpu_products]") {
    if (!on_gpu()) return;
    const auto [m, k, n] = few;
    auto composed = [](auto a, auto b) {
        return fold(composition, std::tuple(std::int32_t(1), std::int32_t(0)),
                    map([](auto p, auto q) { return std::tuple(p * q, p - q); }, a, b));
    };
    check_on_gpu(all_pairs(composed, matrix<std::int32_t>(m, k), matrix<std::int32_t>(n, k, 3)));
    check_on_gpu(all_pairs([](auto a, auto b) { return any(a && b); }, matrix<bool>(m, k), matrix<bool>(n, k, 3)));
    check_on_gpu(all_pairs([](auto a, auto b) { return sum(cast<double>(a) * cast<double>(b)); }, matrix<std::int8_t>(m, k),
                           rounding(n, k)));
}

TEST_CASE("batches of products in tiles", "[gpu_products]") {
    if (!on_gpu()) return;
    const Array<float, 3> x = from(fractions(6 * 130 * 12), shape(6, 130, 12)),
                          y = from(fractions(6 * 70 * 12), shape(6, 70, 12));
    check_on_gpu(vmap([](auto a, auto b) { return all_pairs(inner, a, b); }, x, y));
    const auto bottom = rounding(130, 12);
    check_on_gpu(vmap([=](auto a) { return all_pairs(inner, a, bottom); }, x));
    const Array<double, 4> deep = from(numbers<double>(20 * 19 * 3 * 5), shape(20, 19, 3, 5));
    check_on_gpu(all_pairs([](auto a, auto b) { return sum(a * b); }, reshape(deep, shape(380, 3, 5)),
                           reshape(deep, shape(380, 3, 5))));
}
