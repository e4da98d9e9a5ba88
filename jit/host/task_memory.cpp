// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/task_memory.hpp"

#include <utility>

namespace sinter::host {

namespace {

constexpr std::size_t most_kept = std::size_t{1} << 18;  ///< bytes: what fits the caches of one processor

/// Nothing while a task has it.
thread_local BufferRef kept;

}  // namespace

TaskMemory::TaskMemory(std::size_t bytes) {
    if (bytes == 0) return;
    memory_ = std::move(kept);
    if (!memory_ || memory_->bytes < bytes) memory_ = allocate(bytes);
}

TaskMemory::~TaskMemory() {
    if (memory_ && memory_->bytes <= most_kept) kept = std::move(memory_);
}

}  // namespace sinter::host
