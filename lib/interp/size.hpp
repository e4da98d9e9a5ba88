// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of symbolic sizes while a program runs: unlike ir::evaluate, only of those that are asked for.
#pragma once

#include "ir/type.hpp"

#include <functional>
#include <span>

namespace sinter::interp {

/// What the leaves of size expressions stand for in one call.
struct SizeEnvironment {
    std::function<std::int64_t(std::size_t input, std::size_t axis)> input_extent;
    std::span<const std::int64_t> arguments;
    std::function<std::int64_t(ir::ValueId)> value;  ///< gives the value of a rank-0 i64 variable
};

/// Linear in the expression's distinct parts.
std::int64_t evaluate_size(const ir::SizeTable& sizes, ir::SizeId id, const SizeEnvironment& environment);

/// One past the highest level of a variable that `id` depends on; 0 if it depends on none.
std::size_t level_needed(const ir::SizeTable& sizes, ir::SizeId id);

}  // namespace sinter::interp
