// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folds along the outer axes of a cluster whose rows are folded, too: one pass over a matrix for both.
///
/// While a row is near, each point adds what it has to accumulators, one for each result of the outer fold; runs of points
/// have accumulators of their own, which are combined in order. So bits depend on extents alone.
#pragma once

#include "fuse/graph/dep_graph.hpp"

#include <span>

namespace sinter::fuse {

/// The fold among `operations` that goes along rows if others go along other axes: the one of the largest space, along its
/// innermost axis. Invalid: there is no fold.
Operation fold_of_rows(const DepGraph& graph, std::span<const Operation> operations);

/// Whether `fold` may be an outer fold beside `rows`: of the same space along none of its axes, or of the points that `rows`
/// leaves. Its operator has neutral elements, which runs of points begin with, and it begins with constants.
bool may_be_outer(const DepGraph& graph, Operation rows, Operation fold);

}  // namespace sinter::fuse
