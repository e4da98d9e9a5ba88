// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The results that clusters keep in memory.
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// True if one cluster may keep results of both shapes.
bool go_together(const Problem& problem, std::uint32_t a, std::uint32_t b);

/// Separates vertices that make results of different shapes which are stored whatever the clusters are. A vertex that makes
/// both is apart from itself. The result is not closed.
void separate_stored(const Problem& problem, Bits& apart);

/// Marks results as stored if one of their readers is apart from the vertex that makes them. Returns true if any are new.
bool mark_stored(Problem& problem, const Relations& relations);

}  // namespace sinter::fuse::solve
