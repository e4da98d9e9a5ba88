// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thresholds of lifting and of what prepares fusion. None was measured.
#pragma once

#include <cstddef>

namespace sinter::enable::tuning {

/// Arrays that one scatter updates: the updates of an element should stay near each other.
inline constexpr std::size_t most_scattered = 8;

/// Arrays that one filter writes: each has a stream of its own to memory.
inline constexpr std::size_t most_filtered = 8;

}  // namespace sinter::enable::tuning
