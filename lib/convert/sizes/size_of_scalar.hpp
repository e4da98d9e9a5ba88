// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads scalar functions as sizes: {n -> n / 2 - 1}, applied to an extent, is an expression of the size table.
#pragma once

#include "convert/sizes/equalities.hpp"
#include "ir/function.hpp"

#include <cstdint>
#include <functional>

namespace sinter::convert {

/// What the parts of a function are as sizes.
struct ScalarSizes {
    std::function<SizeId(std::size_t)> param;                ///< by i64 parameter
    std::function<SizeId(std::size_t, std::size_t)> extent;  ///< by array slot and axis
    std::function<SizeId(std::int64_t)> constant;
};

/// Result `result` of `fn` as a size, if it is an i64 computed by +, -, *, min, max, and by / of something that cannot be
/// negative by a positive constant; otherwise invalid.
SizeId size_of_scalar(const ir::Fn& fn, std::size_t result, const ScalarSizes& sizes, Equalities& equalities);

}  // namespace sinter::convert
