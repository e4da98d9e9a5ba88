// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What follows from the conditions under which vertices share a cluster.
#pragma once

#include "fuse/solve/problem/relations.hpp"

#include <optional>

namespace sinter::fuse::solve {

/// Separates pairs whose conditions no cluster meets. True if there were any.
bool separate_unmet(Problem& problem, const Relations& relations);

/// Conditions of vertices that already are one ask for merges: the clusters that result, or nothing if that is nothing. They
/// hold separated vertices if the conditions cannot be met.
std::optional<Labels> implied(const Problem& problem, const Relations& relations);

}  // namespace sinter::fuse::solve
