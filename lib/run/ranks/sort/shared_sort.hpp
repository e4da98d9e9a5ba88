// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sorts that ranks share. The order of elements is total (keys, then positions), so that the result is that of one rank.
#pragma once

#include "run/execute/context.hpp"
#include "run/plan/plan.hpp"

namespace sinter::runtime {

/// Sorts together with the other ranks: the results are in blocks. Rows of arrays are sorted where they are. Of one line,
/// each rank sorts what it has; then all find where the sorted lines have to be cut such that the elements before the cuts
/// are exactly those of the first ranks (multiway selection: Varman and others, "Merging multiple lists on
/// hierarchical-memory multiprocessors", 1991; by weighted medians, Saukas and Song, "A note on parallel selection on
/// coarse-grained multicomputers", 1999), exchange the parts, and merge them. Returns false if every rank has to sort all.
bool sort_shared(const Context& context, const SortStep& step, const BodyPlan& plan, Frame& frame);

}  // namespace sinter::runtime
