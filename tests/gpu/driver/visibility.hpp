// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When threads see what others have stored in global memory: as late and in as odd an order as PTX allows.
#pragma once

#include "grid.hpp"

#include <functional>

namespace driver {

class Visibility {
  public:
    std::uint64_t load(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes, Order order);
    void store(Thread& thread, std::uint64_t address, std::uint8_t bytes, std::uint64_t value);
    /// For all at once, and behind what this thread stored there.
    std::uint64_t update(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes,
                         const std::function<std::uint64_t(std::uint64_t)>& change);
    void fence(Block& block, Thread& thread);
    /// All that the thread, and its block before the last barrier, stored becomes visible.
    void release(Block& block, Thread& thread);
    /// Threads [begin, end) of the block have met.
    void meet(Block& block, std::size_t begin, std::size_t end);
    /// Something that was stored may become visible.
    void drift(Block& block, Thread& thread);
    /// All that was stored becomes visible.
    void finish(Block& block);

  private:
    /// A value that was replaced, when it was stored, and when replaced.
    struct Old {
        std::uint64_t value, stored, replaced;
    };
    void commit(const Store& store);
    void commit_all(std::vector<Store>& stores);
    void commit_there(std::vector<Store>& stores, std::uint64_t address, std::uint8_t bytes);
    std::uint64_t stale_or_current(Block& block, Thread& thread, std::uint64_t word);

    std::uint64_t now_ = 0;
    std::unordered_map<std::uint64_t, std::vector<Old>> history_;  ///< of words
};

}  // namespace driver
