// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes scans and compacts whose lines are cut into chunks, in one pass over memory.
///
/// Threads take chunks in order. First the total of a chunk is computed. Then the thread waits for what comes before the
/// chunk, combines it with the total and hands the result on; and the chunk, which is still in the cache, is completed
/// (chained scan: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, section 3). A
/// thread waits only for threads that have begun their chunks earlier. A single thread completes each chunk at once, with
/// the same bits.
#pragma once

#include "jit/host/code/way_code.hpp"
#include "schedule/steps/reach.hpp"
#include "schedule/tasks.hpp"

#include <cstdint>

namespace sinter::host {

/// `arguments` are those of other launches, without partials. `control` may be null; when it stops, chunks are left out.
/// `own`: by chunk, counted over all rows, the buffers of the launch with those that the chunk has for itself; or null.
void launch_chained(const WayCode& way_code, const schedule::Tasks& tasks, const schedule::Facts& facts,
                    const lower::Kernel& kernel, emit::Arguments arguments, int threads, const RunControl* control,
                    void* const* const* own = nullptr);

/// Of a compact of one line: some chunks, of which what is kept goes side by side to where the buffers of kept values point.
/// Returns how much there is.
std::int64_t keep_chained(const WayCode& way_code, const schedule::Tasks& tasks, const schedule::Facts& facts,
                          const lower::Kernel& kernel, emit::Arguments arguments, schedule::Interval chunks, int threads,
                          const RunControl* control);

}  // namespace sinter::host
