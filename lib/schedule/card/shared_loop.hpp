// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the threads of a team, a warp or a block, share a loop of the body.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/card/tuning.hpp"
#include "schedule/facts/facts.hpp"

#include <cstdint>

namespace sinter::schedule::card {

/// A tile is what a team scans or compacts at once: each of its warps takes `rows` rows, and each lane takes `group`
/// neighbouring elements of a row.
struct TileShape {
    std::int64_t rows = 1;
    std::int64_t group = 1;
    bool straight = false;  ///< an element is nothing but arithmetic, loads and stores: those of a group become one access

    std::int64_t elements() const { return rows * group; }
    std::int64_t of_warp() const { return warp_threads * elements(); }
    std::int64_t of_block() const { return block_threads * elements(); }
    bool operator==(const TileShape&) const = default;
};

/// Which elements of a reduce or for_each a thread takes.
enum class Order : std::uint8_t {
    by_elements,  ///< every n-th element, where n is the size of the team, so that neighbouring threads read neighbours
    by_groups,    ///< the same with groups of neighbours, whose accesses become wide or do not wait for each other
    kept,         ///< consecutive elements, because the operator is not commutative
};

struct SharedLoop {
    const lower::Inst* inst;
    Order order;     ///< for a reduce or for_each
    TileShape tile;  ///< for a scan or compact
};

/// How a team shares the loop. `chunked`: the loop has many tiles, each of which is read once.
SharedLoop share(const lower::Kernel& kernel, const Facts::Loop& loop, bool chunked);

}  // namespace sinter::schedule::card
