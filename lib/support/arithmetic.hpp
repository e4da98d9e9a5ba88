// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of pieces. (Sizes that may be huge are computed by ir/sizes/size_arithmetic.hpp.)
#pragma once

#include <cstdint>

namespace sinter {

/// The number of pieces of `b > 0` that hold `a >= 0`.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
/// The least multiple of `b > 0` that is not below `a >= 0`.
constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

}  // namespace sinter
