// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes scans and compacts whose lines are cut into chunks, in one pass over memory.
///
/// Threads take chunks in order. A chunk's total is found, then what comes before the chunk is awaited, combined with the
/// total and handed on, and the chunk, still in the cache, is completed (chained scan: Merrill and Garland, "Single-pass
/// Parallel Prefix Scan with Decoupled Look-back", 2016, section 3). Whoever waits, waits for a thread that has begun its
/// chunk before. One thread completes each chunk at once, with the same bits.
#pragma once

#include "jit/host/code_object.hpp"
#include "schedule/tasks.hpp"

namespace sinter::host {

/// `arguments` as for other launches, without partials. `control`: null, or when it stops chunks are left out.
void launch_chained(const LoadedObject& object, const schedule::Tasks& tasks, const schedule::Facts& facts,
                    const lower::Kernel& kernel, emit::Arguments arguments, int threads, const RunControl* control);

}  // namespace sinter::host
