// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a launch on the host is divided into tasks, for threads and for caches.
#pragma once

#include "schedule/candidates.hpp"

#include <cstdint>
#include <vector>

namespace sinter::schedule {

/// Alignment, in bytes, of each local buffer and of what the rows of a register tile share.
inline constexpr std::int64_t local_alignment = 64;

/// The tasks of a launch. Chunks of the chunked loop, and therefore all results, depend on extents alone; `threads` may
/// decide whatever results do not depend on. If points have lanes, rows are all axes but the innermost; otherwise rows are
/// points.
struct Tasks {
    std::int64_t points = 1;  ///< of the whole space
    std::int64_t row_count = 1;
    std::int64_t inner = 1;   ///< extent of the innermost axis, if it has lanes
    std::int64_t reduce = 0;  ///< extent of the chunked axis
    std::int64_t chunks = 1;  ///< of that axis; if there is more than one, or if there are steps, partial results are
                              ///< combined
    std::int64_t chunk_length = 0;
    std::int64_t step = 0;                          ///< number of indices by which a chunk is accumulated at a time; 0 if
                                                    ///< all at once
    bool tiled = false;                             ///< tasks consist of register tiles
    std::int64_t shared_bytes = 0, sums_bytes = 0;  ///< for register tiles: memory of a task
    std::int64_t local_bytes = 0;                   ///< memory of a task for the kernel's local buffers
    bool bypass = false;                            ///< outputs are too large for the caches
    std::int64_t rows_per_task = 1, inner_per_task = 1, inner_least = 1;  ///< no task has less of the inner axis than
                                                                          ///< inner_least
    double work = 0;                                                      ///< of the whole launch, in vector instructions
    int threads = 1;                                                      ///< that gain by sharing the tasks
    bool in_order = false;                                                ///< points that meet are on one thread

    bool partial() const { return chunks > 1 || (step > 0 && !tiled); }
    std::size_t task_bytes() const { return static_cast<std::size_t>(local_bytes + shared_bytes + sums_bytes); }
    std::int64_t row_tasks() const { return (row_count + rows_per_task - 1) / rows_per_task; }
    std::int64_t inner_tasks() const { return (inner + inner_per_task - inner_least) / inner_per_task; }
    std::int64_t count() const { return row_tasks() * inner_tasks() * chunks; }
    /// True if the launch is a single call of the kernel.
    bool is_call() const { return points > 0 && count() == 1 && !partial() && step == 0 && task_bytes() == 0 && !bypass; }
};

/// `together`: consecutive points that stay on one thread, and whose order no number of threads decides (collisions.hpp).
Tasks cut(const lower::Kernel& kernel, const Candidates& candidates, const Way& way, const std::int64_t* sizes, int threads,
          std::int64_t together = 1);

/// For a launch between others that threads share: cuts one that is_call() into a part for each thread if its points access
/// cache lines of their own, as those of a column do. Each thread then finds its lines in its own caches, and leaves them
/// there. Returns false, and changes nothing, for any other launch.
bool spread(Tasks& tasks, const Candidates& candidates, int threads);

/// The sizes that decide how the kernel is executed and cut on one rank: where only others change, as offsets do that follow
/// a counter, the launch is cut as before. Nothing if others may decide, too: those of updates, and of stores that may meet.
std::vector<ir::SizeId> deciding_sizes(const lower::Kernel& kernel, const Candidates& candidates);

/// Whether a launch of the kernel that is_call() is one, too, cut in the same way, where extents are smaller: points take
/// about the same time each, and their order decides no bits.
bool may_shrink(const Candidates& candidates);
/// Such a cut for extents no larger than it was made for, none of which is 0.
void shrink(Tasks& tasks, const lower::Kernel& kernel, const Way& way, const std::int64_t* sizes);

}  // namespace sinter::schedule
