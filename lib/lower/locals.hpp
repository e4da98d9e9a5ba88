// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Renumbers locals when blocks are moved.
#pragma once

#include "lower/kernel.hpp"

#include <cstddef>

namespace sinter::lower {

/// Adds `by` to the numbers of locals from level `from` on.
void shift(Block& b, std::size_t from, std::ptrdiff_t by);

/// True if the block computes with its own locals only, which are those from `level` on.
bool stands_alone(const Block& b, std::size_t level);

}  // namespace sinter::lower
