// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What chunks of a scan tell those behind them while all of them are executed: a decoupled look-back (Merrill and Garland,
/// Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016) whose windows are fixed.
///
/// Chunks form groups of as many as a warp has threads, groups form larger ones, and so on. A chunk combines, level by
/// level, what those before it in its group have; the last of a group does so for the group. So every prefix is combined in
/// the same tree, whoever is first, and a chunk waits for totals of chunks alone: for prefixes of nobody.
#pragma once

#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

/// Publishes what the point's chunk has, the same in all threads, and returns what those before it have, or `absent` if
/// there are none. Behind the values either may have a flag, whether they are there.
Few look_back(const Point& point, const Few& own, const Few& absent, Team::Merge merge);

}  // namespace sinter::gpu
