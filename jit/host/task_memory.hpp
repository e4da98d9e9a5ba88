// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that a task needs while it runs.
#pragma once

#include <cstddef>

namespace sinter::host {

/// A thread keeps its own memory for its next task if it is small: what one task leaves in the nearest cache, the next one
/// overwrites. Memory from the pool would come from whichever thread returned some last, through the caches of another
/// processor.
class TaskMemory {
  public:
    /// Throws std::bad_alloc.
    explicit TaskMemory(std::size_t bytes);
    ~TaskMemory();
    TaskMemory(const TaskMemory&) = delete;
    TaskMemory& operator=(const TaskMemory&) = delete;

    /// Null if there are no bytes.
    char* data() const { return block_.data; }

    /// Memory of the pool.
    struct Block {
        char* data = nullptr;
        std::size_t bytes = 0;
    };

  private:
    void give_back() noexcept;

    Block block_;
};

}  // namespace sinter::host
