// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts adjacent axes as one.
///
/// Lowering begins with all adjacent parallel axes in one run, and all adjacent reduced axes in another: as if every array
/// were contiguous along them. Where an access needs the axes of a run one by one (a transpose, a broadcast along one of
/// them, an index that is passed to a function), Indexing notes the axis, and lowering starts again with the run cut there.
/// So a run remains exactly where all accesses depend on its axes through their row-major position only. There is at most
/// one attempt per axis.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

namespace sinter::lower {

/// Axes [first, first + count) of the element space, all parallel or all reduced.
struct Run {
    std::size_t first;
    std::size_t count;
    bool reduced;
    bool operator==(const Run&) const = default;
};

/// The longest runs for these reduced axes (increasing) such that a new run begins at every axis in `cuts`.
std::vector<Run> runs(std::size_t rank, const std::vector<std::size_t>& reduced, const std::set<std::size_t>& cuts);

}  // namespace sinter::lower
