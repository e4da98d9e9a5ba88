// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// IEEE binary16 as a bit pattern: conversions only. Arithmetic is done in float and rounded back.
#pragma once

#include <bit>
#include <cstdint>

namespace sinter::detail {

/// `x` rounded once, to nearest even; a NaN becomes a quiet NaN of its sign. A float argument is exact as a double.
constexpr std::uint16_t half_from(double x) {
    constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000;
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
    std::uint64_t magnitude = bits & ~(1ULL << 63);
    int exponent = static_cast<int>(magnitude >> 52) - 1023;
    if (magnitude > infinity) return sign | 0x7e00;
    if (exponent > 15) return sign | 0x7c00;
    if (exponent < -25) return sign;  // below half of the smallest subnormal
    bool normal = exponent >= -14;
    std::uint64_t mantissa = magnitude & ((1ULL << 52) - 1);
    // The bits of this integer above `shift` are the result; a carry out of the mantissa raises the exponent, as it should.
    std::uint64_t exact = mantissa | (normal ? static_cast<std::uint64_t>(exponent + 15) << 52 : 1ULL << 52);
    int shift = normal ? 42 : 42 + (-14 - exponent);
    std::uint64_t rest = exact & ((1ULL << shift) - 1), tie = 1ULL << (shift - 1), kept = exact >> shift;
    kept += rest > tie || (rest == tie && kept % 2 != 0);
    return static_cast<std::uint16_t>(sign | kept);
}

/// The conversion is exact.
constexpr float float_from_half(std::uint16_t half) {
    std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f80'0000 | mantissa << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

}  // namespace sinter::detail
