// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How chunks of a scan tell those after them their totals while all of them are being executed: a decoupled look-back
/// (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016) with fixed windows.
///
/// As many chunks as a warp has threads form a group, groups form larger groups, and so on. A chunk combines, level by
/// level, the totals of those before it in its group; the last one of a group does so for the group. So every prefix is
/// combined in the same tree, whoever is first, and a chunk waits only for totals of chunks, never for prefixes.
#pragma once

#include "jit/gpu/emit/point.hpp"

namespace sinter::gpu {

/// Publishes the total of the point's chunk, which is the same in all threads, and returns that of the chunks before it, or
/// `absent` if there are none. Both may have a flag after the values that says if these are present.
Few look_back(const Point& point, const Few& own, const Few& absent, Team::Merge merge);

}  // namespace sinter::gpu
