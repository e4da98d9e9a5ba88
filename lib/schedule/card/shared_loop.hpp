// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the threads of a team, a warp or a block, share a loop of the body.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/card/tuning.hpp"
#include "schedule/facts.hpp"

#include <cstdint>

namespace sinter::schedule::card {

/// A tile is what a team scans or compacts at once: each of its warps takes `rows` rows, each lane `group` neighbours of a
/// row.
struct TileShape {
    std::int64_t rows = 1;
    std::int64_t group = 1;
    bool straight = false;  ///< an element is arithmetic, loads and stores: those of a group become one access

    std::int64_t elements() const { return rows * group; }
    std::int64_t of_warp() const { return warp_threads * elements(); }
    std::int64_t of_block() const { return block_threads * elements(); }
    bool operator==(const TileShape&) const = default;
};

/// Which elements a thread takes of a reduce or for_each.
enum class Order : std::uint8_t {
    by_elements,  ///< every team-width's one, so that neighbouring threads read neighbours
    by_groups,    ///< the same with groups of neighbours, whose accesses become wide ones or do not wait for each other
    kept,         ///< consecutive ones: the operator is not commutative
};

struct SharedLoop {
    const lower::Inst* inst;
    Order order;     ///< of a reduce or for_each
    TileShape tile;  ///< of a scan or compact
};

/// `chunked`: the loop has many tiles, each of which is read once.
SharedLoop share(const lower::Kernel& kernel, const Facts::Loop& loop, bool chunked);

}  // namespace sinter::schedule::card
