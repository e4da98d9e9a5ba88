// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Consequences of the conditions under which vertices share a cluster.
#pragma once

#include "fuse/solve/problem/relations.hpp"

#include <optional>

namespace sinter::fuse::solve {

/// Separates pairs whose conditions no cluster meets. Returns true if there were any.
bool separate_unmet(Problem& problem, const Relations& relations);

/// The conditions on vertices that have become one vertex demand merges. Returns the resulting clusters, or nothing if there
/// is nothing to merge. The clusters hold separated vertices if the conditions cannot be met.
std::optional<Labels> implied(const Problem& problem, const Relations& relations);

}  // namespace sinter::fuse::solve
