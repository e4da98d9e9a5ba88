// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Neutral elements of operators: reductions can start from them, and can use them in place of elements that do not count.
#pragma once

#include "ir/function.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::ir {

/// Bit patterns of neutral elements, one per value, if `op` consists of one operation with an exactly neutral element for
/// each value. `op` is a block that starts at `level`; its parameters are `count` accumulators, `count` elements, and
/// others.
SINTER_SHARED std::optional<std::vector<std::uint64_t>> neutral_elements(const Block& op, std::size_t count,
                                                                         std::size_t level = 0);

}  // namespace sinter::ir
