// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each point of a cluster adds to accumulators while its row is near: folds along the outer axes of a cluster whose
/// rows are folded, too, folds of what scans make, and a scatter with an operator beside folds.
///
/// Runs of points, or chunks of a scan, have accumulators of their own, which are combined in order. So bits depend on
/// extents alone.
#pragma once

#include "fuse/graph/dep_graph.hpp"

#include <span>

namespace sinter::fuse {

/// What decides which folds of a cluster go along rows and which of its operations accumulate.
struct Passes {
    Operation rows;  ///< the fold that goes along rows: the one of the largest space, along its innermost axis; invalid if
                     ///< there is no fold, or if folds only accumulate what belongs to the scatter's points
    Operation scatter;  ///< the scatter beside folds, whose points are those that `rows` leaves; invalid if there is none

    Operation scan;  ///< one of the scans beside which all folds accumulate; invalid if there is none

    /// The shape of the points, each of which adds to accumulators. There is a fold.
    const ir::Shape& points(const DepGraph& graph) const {
        return graph.points(rows.valid() ? rows : scan.valid() ? scan : scatter);
    }
};
Passes passes_of(const DepGraph& graph, std::span<const Operation> operations);

/// Whether `fold` may be an outer fold: of the space of `passes.rows` along none of its axes, or of the points; beside a
/// scan, along the axis of that at least. Its operator has neutral elements, which runs of points begin with, and it begins
/// with constants.
bool may_be_outer(const DepGraph& graph, const Passes& passes, Operation fold);

}  // namespace sinter::fuse
