// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers by which executions decide, each with its unit and what it was measured by.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::runtime::tuning {

/// Iterations from which on a loop is made ready as a region (region/region.hpp). A guess: making it takes about as long as
/// executing two or three iterations step by step.
inline constexpr std::int64_t fewest_iterations = 4;
/// Bytes of the largest array whose memory a region keeps for its next ones; more goes back to the pool, where others find
/// it: what that costs is little beside filling it. A guess.
inline constexpr std::size_t most_kept_bytes = 256 << 10;

/// Launches of a region for which it counts that threads have shared one: those of an iteration of usual loops. A guess.
inline constexpr int remembered_launches = 8;

}  // namespace sinter::runtime::tuning
