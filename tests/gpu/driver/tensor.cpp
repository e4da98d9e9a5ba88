// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor.hpp"

#include "settings.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace driver {

namespace {

constexpr std::size_t rows = 16, columns = 8, words_of_row = 8, most_steps = 2 * words_of_row, group = 4;
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
std::vector<std::size_t> any_order(std::size_t groups) {
    std::vector<std::size_t> order(groups);
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k;
        std::swap(order[k], order[chance().below(static_cast<std::uint32_t>(k) + 1)]);
    }
    return order;
}

double from_tf32(std::uint64_t bits) {
    constexpr std::uint64_t unused = (1u << 13) - 1;
    if ((bits & unused) != 0) violation("mma: a factor that is not of TF32");
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

}  // namespace

/// Word n of a lane has, of either factor, row or column lane / 4, 8 rows further down for each odd word of the left one;
/// along it word lane % 4 of a row, 4 words further for the upper half of the words. A word is two halves, or one number.
void multiply_add(const Instruction& in, std::uint64_t* registers) {
    const std::size_t each = in.from.bytes == 4 ? 1 : 2, steps = each * words_of_row;
    std::array<std::array<double, most_steps>, rows> left{};
    std::array<std::array<double, most_steps>, columns> right{};
    for (std::size_t lane = 0; lane < warp_threads; ++lane)
        for (std::size_t k = 0; k < each; ++k) {
            auto factor = [&](std::size_t operand) {
                const std::uint64_t word = column(registers, in.operand[operand])[lane];
                return each == 1 ? from_tf32(word) : from_half(word >> 16 * k & 0xffff);
            };
            auto at = [&](std::size_t further) { return (lane % 4 + further * 4) * each + k; };
            for (std::size_t n = 0; n < left_words; ++n) left[lane / 4 + n % 2 * 8][at(n / 2)] = factor(n);
            for (std::size_t n = 0; n < right_words; ++n) right[lane / 4][at(n)] = factor(left_words + n);
        }
    const auto order = any_order(steps / group);
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
