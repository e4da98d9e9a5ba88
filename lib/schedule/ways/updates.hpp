// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How elements are updated on the host (by an `update` instruction at the end of a map): one point after another, or in one
/// of two ways that let threads share the work.
#pragma once

#include "schedule/tasks.hpp"

#include <cstdint>
#include <span>
#include <variant>

namespace sinter::schedule {

/// One point after another, on one thread.
struct InOrder {};

/// For small arrays: the first task updates the arrays themselves, every other task updates its own copies, which begin with
/// neutral elements; then the copies are combined with the arrays, in order.
struct Copies {
    std::int64_t count;
};

/// For large arrays, where updates miss the caches: updates are noted and grouped by ranges of offsets that fit in a cache;
/// then one thread updates each range, in the order of the points ("radix partitioning": Boncz, Manegold and Kersten,
/// "Database Architecture Optimized for the New Bottleneck: Memory Access", 1999, section 3.3). The bits are those of one
/// point after another, and it pays even on one thread.
struct Partitions {};

using UpdateWay = std::variant<InOrder, Copies, Partitions>;

/// The updates of a launch: `points` update arrays of `elements` elements of these types.
struct Updates {
    std::int64_t points, elements;
    std::span<const lower::Scalar> types;
    bool has_neutral;  ///< the operator has neutral elements, so that copies can be merged
};
/// Chooses a way. The bits of the results depend on extents alone: `threads` decides only between ways that give the same.
UpdateWay choose(const Updates& updates, int threads);

/// Of a launch whose points execute `updates` of accumulators or beside loops: `points`, whose work is so many vector
/// instructions, and which has no chunks. InOrder or Copies, by extents alone. `sizes`: the kernel's size table.
UpdateWay choose_accumulators(const lower::Kernel& kernel, std::span<const UpdateFact> updates, const std::int64_t* sizes,
                              std::int64_t points, double work);

/// True if choose_accumulators() decides for such a kernel: its runs are combined as accumulators are.
SINTER_SHARED bool accumulates(const lower::Kernel& kernel, const Facts& facts);

/// Divides `tasks` into runs of about this many points.
Tasks runs_of(Tasks tasks, std::int64_t points);
/// The runs that a way executes.
Tasks runs_of(const Tasks& tasks, const UpdateWay& way);

}  // namespace sinter::schedule
