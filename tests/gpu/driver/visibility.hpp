// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When threads see what others have stored in global memory: as late and in as odd an order as PTX allows.
#pragma once

#include "grid.hpp"

#include <array>

namespace driver {

class Visibility {
  public:
    std::uint64_t load(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes, Order order);
    void store(Thread& thread, std::uint64_t address, std::uint8_t bytes, std::uint64_t value);
    /// For all at once, and behind what this thread stored there.
    template <class Change>
    std::uint64_t update(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes, Change change) {
        const std::uint64_t old = begin_update(block, thread, address, bytes);
        commit({address, change(old), 0, &thread.seen, bytes});
        return old;
    }
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
    /// The last values of a word, the oldest first.
    struct History {
        std::array<Old, 4> olds;
        std::size_t count = 0;
        void add(const Old& old);
    };
    std::uint64_t begin_update(Block& block, Thread& thread, std::uint64_t address, std::uint8_t bytes);
    void commit(const Store& store);
    void commit(const std::vector<Store>& stores);
    std::uint64_t stale_or_current(Block& block, Thread& thread, std::uint64_t word);

    std::uint64_t now_ = 0;
    FlatMap<History> history_;  ///< of words
};

}  // namespace driver
