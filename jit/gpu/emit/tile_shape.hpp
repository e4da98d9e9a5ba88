// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many elements of a scan or compact a thread holds at a time.
#pragma once

#include "jit/gpu/emit/builtin_names.hpp"
#include "lower/kernel.hpp"

#include <cstdint>

namespace sinter::gpu {

/// A tile is what a team scans at once: each of its warps takes `rows` rows, each lane `group` neighbours of a row.
struct TileShape {
    std::int64_t rows = 1;
    std::int64_t group = 1;
    bool straight = false;  ///< an element is arithmetic, loads and stores: those of a group become one access

    std::int64_t elements() const { return rows * group; }
    std::int64_t of_warp() const { return warp_threads * elements(); }
    std::int64_t of_block() const { return block_threads * elements(); }
};

/// `chunked`: the loop has many tiles, each of which is read once.
TileShape tile_shape(const lower::Kernel& kernel, const lower::Inst& loop, bool chunked);

/// Nothing but arithmetic, loads and stores, and not much of it.
bool is_straight(const lower::Block& block);

}  // namespace sinter::gpu
