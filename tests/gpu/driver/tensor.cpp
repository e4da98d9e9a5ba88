// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor.hpp"

#include "settings.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace driver {

namespace {

constexpr std::size_t rows = 16, columns = 8, steps = 16, group = 4;
constexpr std::size_t left_words = 4, right_words = 2, sums_of_lane = 4;

double from_half(std::uint64_t bits) {
    const auto exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 1023);
    const double infinite = fraction == 0 ? HUGE_VAL : std::nan("");
    const double size = exponent == 31  ? infinite
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(fraction + 1024, exponent - 25);
    return (bits >> 15 & 1) != 0 ? -size : size;
}

float towards_zero(double x) {
    const auto nearest = static_cast<float>(x);
    return std::isfinite(x) && std::abs(double{nearest}) > std::abs(x) ? std::nextafter(nearest, 0.f) : nearest;
}

/// The order in which groups of products are added.
std::array<std::size_t, steps / group> any_order() {
    std::array<std::size_t, steps / group> order{};
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k;
        std::swap(order[k], order[chance().below(static_cast<std::uint32_t>(k) + 1)]);
    }
    return order;
}

}  // namespace

/// Word n of a lane has, of either factor, row or column lane / 4, 8 rows further down for each odd word of the left one;
/// two halves from 2 (lane % 4) on, 8 elements further for the upper half of the words.
void multiply_add(const Instruction& in, std::uint64_t* registers) {
    std::array<std::array<double, steps>, rows> left{};
    std::array<std::array<double, steps>, columns> right{};
    for (std::size_t lane = 0; lane < warp_threads; ++lane)
        for (std::size_t k = 0; k < 2; ++k) {
            auto half = [&](std::size_t operand) {
                return from_half(column(registers, in.operand[operand])[lane] >> 16 * k & 0xffff);
            };
            for (std::size_t n = 0; n < left_words; ++n) left[lane / 4 + n % 2 * 8][lane % 4 * 2 + k + n / 2 * 8] = half(n);
            for (std::size_t n = 0; n < right_words; ++n) right[lane / 4][lane % 4 * 2 + k + n * 8] = half(left_words + n);
        }
    const auto order = any_order();
    for (std::size_t n = 0; n < sums_of_lane; ++n)
        for (std::size_t lane = 0; lane < warp_threads; ++lane) {
            const auto& x = left[lane / 4 + n / 2 * 8];
            const auto& y = right[lane % 4 * 2 + n % 2];
            const std::uint64_t before = column(registers, in.operand[left_words + right_words + n])[lane];
            auto sum = std::bit_cast<float>(static_cast<std::uint32_t>(before));
            for (const std::size_t first : order) {
                double exact = sum;
                for (std::size_t k = first * group; k < (first + 1) * group; ++k) exact += x[k] * y[k];
                sum = towards_zero(exact);
            }
            column(registers, in.result[n])[lane] = std::bit_cast<std::uint32_t>(sum);
        }
}

}  // namespace driver
