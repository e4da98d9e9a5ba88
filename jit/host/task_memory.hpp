// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that a task needs while it runs.
#pragma once

#include <cstddef>

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
    char* data() const { return block_.data; }

    /// Of the pool's.
    struct Block {
        char* data = nullptr;
        std::size_t bytes = 0;
    };

  private:
    void give_back() noexcept;

    Block block_;
};

}  // namespace sinter::host
