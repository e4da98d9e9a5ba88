// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a loaded kernel on a launch's buffers.
#pragma once

#include "jit/host/kernel_code.hpp"
#include "schedule/steps/reach.hpp"
#include "schedule/tasks.hpp"

#include <cstdint>
#include <utility>

namespace sinter::host {

/// Task k, whose reduce range is the whole chunk.
emit::Tile tile_of(const schedule::Tasks& tasks, std::int64_t k);

/// The arguments of a launch with these tasks, without partial results and with ordinary stores.
emit::Arguments arguments_of(const runtime::Launch& launch, const schedule::Tasks& tasks, const lower::Kernel& kernel);

/// Executes all tasks, on several threads if that pays, and then combines partial results. Returns true if it offered them
/// to several threads.
bool launch_kernel(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& tasks,
                   const runtime::Launch& launch);

/// Of a scan that is cut into chunks: the same, where each chunk has buffers for itself (chain.hpp).
void launch_scan(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& tasks, void* const* const* own,
                 const runtime::Launch& launch);

/// Where the tasks of a part of a launch begin among those of the whole.
struct TaskOffsets {
    std::int64_t row = 0, column = 0, chunk = 0;
    emit::Start start = emit::Start::fresh;  ///< of tasks that execute chunks one by one
    bool one_of_chunks = false;              ///< tasks are such, even if this part has one chunk only

    bool moves_nothing() const { return row == 0 && column == 0 && chunk == 0 && !one_of_chunks; }
};

/// The tasks of a part: those of the whole launch, with fewer rows, columns or chunks. Bits are those of the whole launch.
struct TaskPart {
    const schedule::Tasks& tasks;
    TaskOffsets offsets;
};

/// Likewise for a part, of which all chunks are executed here. Not for scans and compacts that are cut into chunks.
bool launch_part(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                 const runtime::Launch& launch);

/// Makes the partial results of a part's chunks; likewise. partials: memory for those of the whole launch, as of
/// emit::Arguments.
bool launch_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                   void* const* partials, const runtime::Launch& launch);
/// Of a scan: finds what comes before each chunk, from the totals of all. `partials` end with memory for it.
void chain_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, void* const* partials,
                  const runtime::Launch& launch);
/// Of a compact: writes what is kept of these chunks side by side to where the buffers of kept values point. Returns how
/// many there are. `part`: the tasks with the work of these chunks.
std::int64_t keep_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole,
                         const schedule::Tasks& part, schedule::Interval chunks, const runtime::Launch& launch);
/// Combines the partial results of all chunks.
void finish_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                   void* const* partials, const runtime::Launch& launch);

}  // namespace sinter::host
