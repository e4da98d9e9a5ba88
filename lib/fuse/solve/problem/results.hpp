// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What clusters keep in memory.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// Whether one cluster may keep results of both shapes.
bool go_together(const Problem& problem, std::uint32_t a, std::uint32_t b);

/// Separates vertices that make results of different shapes that are stored whatever the clusters; one that makes both is
/// apart from itself. Not closed.
void separate_stored(const Problem& problem, Bits& apart);

/// Results one of whose readers is apart from what makes them are stored. Whether there are new ones.
bool mark_stored(Problem& problem, const Relations& relations);

}  // namespace sinter::fuse::solve
