// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of locals, when blocks are moved.
#pragma once

#include "lower/kernel.hpp"

#include <cstddef>

namespace sinter::lower {

/// Renumbers the locals from level `from` on.
void shift(Block& b, std::size_t from, std::ptrdiff_t by);

/// Whether it computes with its own locals only, those from `level` on.
bool stands_alone(const Block& b, std::size_t level);

}  // namespace sinter::lower
