// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses to the same byte that nothing orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace driver {

/// A thread at some moment. What it did before a barrier of its block or its warp is of an earlier epoch.
struct Moment {
    std::uint32_t thread = 0;  ///< counted through the grid
    std::uint32_t block_epoch = 0, warp_epoch = 0;
};

struct Access {
    Moment moment;
    std::uint32_t block_begin = 0, block_end = 0;  ///< the threads of the thread's block
    bool is_write = false;
    bool is_strong = false;        ///< volatile, relaxed or atomic: may meet others of the kind
    bool is_non_coherent = false;  ///< by a cache that sees no stores
};

/// Who read a byte lately. Several readers are remembered by what they have in common.
enum class Readers : std::uint8_t { none, one_thread, one_warp, one_block, many_blocks };

/// What is known of bytes in a launch: the last write, and the reads that no later read is ordered behind. All zero at
/// first.
struct Cell {
    std::uint32_t launch;
    Moment write, read;
    Readers readers;
    bool is_written : 1, write_is_strong : 1, reads_are_strong : 1, is_read_non_coherent : 1;
    bool is_split : 1;  ///< of a word: each of its bytes has a cell of its own
};

/// A rule that launches may break whose checks have failed: elements at wrong indices go to index 0, and nobody reads them.
inline constexpr const char* two_stores = "two stores that no barrier orders";

/// The cells of a piece of memory. One stands for a whole word until an access in the launch takes only a part of the word.
class Cells {
  public:
    explicit Cells(std::size_t bytes = 0) : count_((bytes + word_bytes - 1) / word_bytes), words_(zeroed(count_)) {}
    bool empty() const { return count_ == 0; }
    /// Takes down an access to aligned bytes. Returns the rule it breaks, null if none. What `launch` says of cells is
    /// forgotten in the next one.
    const char* note(std::size_t begin, std::size_t bytes, std::uint32_t launch, const Access& access);

  private:
    static constexpr std::size_t word_bytes = 4;
    struct Free {
        void operator()(Cell* cells) const { std::free(cells); }
    };
    using Array = std::unique_ptr<Cell[], Free>;

    /// Memory that the system has not given out costs nothing until it is used.
    static Array zeroed(std::size_t count) {
        return Array(count == 0 ? nullptr : static_cast<Cell*>(std::calloc(count, sizeof(Cell))));
    }
    const char* note_parts(std::size_t begin, std::size_t bytes, std::uint32_t launch, const Access& access);
    Cell* parts_of(std::size_t word, std::uint32_t launch);

    std::size_t count_;
    Array words_, parts_;
};

}  // namespace driver
