// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How elements are updated on the host (an `update` instruction at the end of a map): one point after another, or in one of
/// two ways that let threads share the work.
#pragma once

#include "schedule/tasks.hpp"

#include <cstdint>
#include <span>
#include <variant>

namespace sinter::schedule {

/// One point after another, on one thread.
struct InOrder {};

/// For small arrays: the first task updates the arrays, each other one copies of its own, which begin with neutral elements;
/// then the copies are combined with the arrays, in order.
struct Copies {
    std::int64_t count;
};

/// For large arrays, where updates miss the caches: they are noted and grouped by ranges of offsets that fit a cache, then
/// one thread updates a range, in the order of the points ("radix partitioning": Boncz, Manegold and Kersten, "Database
/// Architecture Optimized for the New Bottleneck: Memory Access", 1999, section 3.3). The bits are those of one point after
/// another, and it pays on one thread too.
struct Partitions {};

using UpdateWay = std::variant<InOrder, Copies, Partitions>;

/// Of a launch: `points` update arrays of `elements` elements of these types.
struct Updates {
    std::int64_t points, elements;
    std::span<const lower::Scalar> types;
    bool has_neutral;  ///< the operator has neutral elements, so copies can be merged
};
/// The results' bits depend on extents alone: `threads` decides only between ways that give the same.
UpdateWay choose(const Updates& updates, int threads);

/// `tasks` cut into runs of about so many points.
Tasks runs_of(Tasks tasks, std::int64_t points);
/// The runs that a way executes.
Tasks runs_of(const Tasks& tasks, const UpdateWay& way);

}  // namespace sinter::schedule
