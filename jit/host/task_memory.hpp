// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that a task needs while it runs.
#pragma once

#include "support/buffer.hpp"

namespace sinter::host {

/// A thread's own, kept for its next task while small: what one task leaves in the nearest cache the next one writes again.
/// Memory from the pool would come from the thread that gave some back last, through the caches of another processor.
class TaskMemory {
  public:
    /// Throws std::bad_alloc.
    explicit TaskMemory(std::size_t bytes);
    ~TaskMemory();
    TaskMemory(const TaskMemory&) = delete;
    TaskMemory& operator=(const TaskMemory&) = delete;

    /// Null for no bytes.
    char* data() const { return memory_ ? static_cast<char*>(memory_->data) : nullptr; }

  private:
    BufferRef memory_;
};

}  // namespace sinter::host
