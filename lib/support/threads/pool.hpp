// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A pool of array memory. Fresh pages cost more than most kernels that write them (page faults and zeroing), so the memory
/// of dead arrays is kept for the next ones. Large blocks are mapped at multiples of the size of huge pages.
#pragma once

#include "support/threads/process.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter {

class Pool {
  public:
    /// The pool of the process; it is never destroyed, so arrays in static storage may outlive main.
    static Pool& shared();

    /// `limit`: the most bytes that are in use, as they were asked for, and cached together.
    explicit Pool(std::size_t limit) : limit_(limit) {}

    /// Whose memory: the process's own, or what other processes may map, too (support/threads/shared_memory.hpp).
    enum class Kind : std::uint8_t { own, shared };

    /// Returns at least `bytes` bytes aligned to 64, and to pages if it is shared. Throws std::bad_alloc if the limit
    /// forbids it, or after cached memory has been returned to the system in vain.
    void* take(std::size_t bytes, Kind kind = Kind::own);
    void give_back(void* memory, std::size_t bytes, Kind kind = Kind::own) noexcept;
    /// Counts an array that is elsewhere, as on a card. Throws std::bad_alloc if the limit forbids it.
    void add(std::size_t bytes);
    void remove(std::size_t bytes) noexcept;
    /// Returns all cached memory to the system.
    void trim() noexcept;

    std::size_t bytes_in_use() const;
    std::size_t bytes_cached() const;
    /// The most bytes that were in use at once since forget_peak().
    std::size_t peak() const;
    void forget_peak();
    std::size_t limit() const { return limit_; }

  private:
    struct Block {
        void* memory;
        std::size_t stamp;
    };
    void reserve(std::size_t bytes);
    void count(std::size_t bytes);
    void evict(std::size_t keep) noexcept;
    std::size_t cache_limit() const;

    const std::size_t limit_;
    mutable ForkMutex mutex_;
    std::array<std::vector<std::vector<Block>>, 2> free_;  ///< by kind and size class
    std::size_t in_use_ = 0;                               ///< as they were asked for
    std::size_t peak_ = 0;                                 ///< of in_use_
    std::size_t cached_ = 0;
    std::size_t clock_ = 0;
};

/// The bytes of an array that is elsewhere, counted in the pool of the process while this lives.
class CountedBytes {
  public:
    explicit CountedBytes(std::size_t bytes) : bytes_(bytes) { Pool::shared().add(bytes); }
    ~CountedBytes() { Pool::shared().remove(bytes_); }
    CountedBytes(const CountedBytes&) = delete;
    CountedBytes& operator=(const CountedBytes&) = delete;

  private:
    const std::size_t bytes_;
};

/// Size classes are a quarter of a power of two apart: at most a fifth of a block is unused.
std::size_t size_class(std::size_t bytes);
std::size_t class_bytes(std::size_t size_class);

}  // namespace sinter
