// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses to the same byte that nothing orders.
#pragma once

#include <cstddef>
#include <cstdint>

namespace driver {

/// A thread at some moment. What it did before a barrier of its block or its warp is of an earlier epoch.
struct Moment {
    std::uint32_t block = 0, warp = 0, thread = 0;  ///< all counted through the grid
    std::uint32_t block_epoch = 0, warp_epoch = 0;
};

struct Access {
    Moment moment;
    bool is_write = false;
    bool is_strong = false;        ///< volatile or atomic: may meet others of the kind
    bool is_non_coherent = false;  ///< by a cache that sees no stores
};

/// Who read a byte lately. Several readers are remembered by what they have in common.
enum class Readers : std::uint8_t { none, one_thread, one_warp, one_block, many_blocks };

/// What is known of a byte in a launch: the last write, and the reads that no later read is ordered behind.
struct Cell {
    std::uint32_t launch = 0;
    Moment write, read;
    Readers readers = Readers::none;
    bool is_written = false, write_is_strong = false, reads_are_strong = false, is_read_non_coherent = false;
};

/// A rule that launches may break whose checks have failed: elements at wrong indices go to index 0, and nobody reads them.
inline constexpr const char* two_stores = "two stores that no barrier orders";

/// Takes down an access. Returns the rule it breaks, null if none.
const char* note(Cell& cell, std::uint32_t launch, const Access& access);

}  // namespace driver
