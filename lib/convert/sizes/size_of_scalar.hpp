// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scalar functions read as sizes: {n -> n / 2 - 1} of an extent is an expression of the size table.
#pragma once

#include "convert/sizes/equalities.hpp"
#include "ir/function.hpp"

#include <cstdint>
#include <functional>

namespace sinter::convert {

/// What a function's parts are as sizes.
struct ScalarSizes {
    std::function<SizeId(std::size_t)> param;                ///< of an i64 parameter
    std::function<SizeId(std::size_t, std::size_t)> extent;  ///< of an array slot, along an axis
    std::function<SizeId(std::int64_t)> constant;
};

/// Result `result` of `fn` as a size, if it is an i64 made by +, -, *, min, max, and / of what cannot be negative by a
/// positive constant; else invalid.
SizeId size_of_scalar(const ir::Fn& fn, std::size_t result, const ScalarSizes& sizes, Equalities& equalities);

}  // namespace sinter::convert
