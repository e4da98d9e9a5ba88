// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of the cards: what the program has allocated, and what it may not touch. An address of a card's is one that
/// the host cannot follow: whoever does ends with a fault. Kernels of another card may not follow it either.
#pragma once

#include "races.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace driver {

constexpr std::size_t device_memory = std::size_t{1} << 30;  ///< of each card

struct Allocation {
    std::uint64_t begin = 0;
    std::size_t bytes = 0;
    int device = 0;       ///< the card whose memory it is, or whose context it belongs to if it is pinned
    bool pinned = false;  ///< the host's
    bool ready = true;    ///< false until the stream in which it is allocated gets there
    Cells cells;          ///< once a kernel has touched it
};

class Memory {
  public:
    static Memory& get();

    /// Filled with a pattern that no test expects. 0 if the card has not as much left. Pinned memory is the host's.
    std::uint64_t allocate(std::size_t bytes, bool pinned, int device);
    /// From now on an access by the host is a fault. False if nothing was allocated there.
    bool release(std::uint64_t address);
    /// The allocation that has all these bytes, or null.
    Allocation* find(std::uint64_t address, std::size_t bytes);
    /// What belongs to this card.
    void release_all(int device);

  private:
    void* any_memory(std::size_t bytes, bool pinned, Cells& cells);

    std::map<std::uint64_t, Allocation> allocations_;
    std::multimap<std::size_t, Allocation> spare_;  ///< of the card's, by size: the host cannot reach their addresses
    std::size_t spare_bytes_ = 0;
    std::map<int, std::size_t> taken_;  ///< bytes, by card
    Allocation* last_ = nullptr;
};

/// Where the bytes are in this process.
void* place_of(std::uint64_t address);

/// Reads memory that may have gone. False if it has.
bool read_safely(void* to, std::uint64_t from, std::size_t bytes);

}  // namespace driver
