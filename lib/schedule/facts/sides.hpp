// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Comparisons of an index that have the same result nearly everywhere: those that tell the border of an array from its
/// interior, as `i > 0 && i < n - 1` does. Where they change their result, so near the ends of the axis, follows from sizes
/// alone.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <unordered_map>

namespace sinter::schedule {

/// Where nearly all indices lie, relative to the one or two indices at which a comparison changes its result.
enum class Side : std::uint8_t {
    mixed,   ///< nobody knows
    before,  ///< they are less
    between,
    behind,  ///< they are greater, or equal to the last
};

/// By comparison, `inside` among them, of the innermost parallel axis' index with a number that is the same along it. Those
/// that are not there compare something else. Only of the kernel's body itself, without the blocks in it.
using Sides = std::unordered_map<const lower::Inst*, Side>;
/// Linear in the size of the body.
Sides sides_of(const lower::Kernel& kernel);

}  // namespace sinter::schedule
