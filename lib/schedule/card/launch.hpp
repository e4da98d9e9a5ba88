// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of a launch on a card: how much there is of everything, the kernels that run one after another, the memory
/// through which their blocks know of each other.
#pragma once

#include "schedule/card/way.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <vector>

namespace sinter::schedule::card {

/// What is known of a card.
struct Card {
    std::int64_t blocks = 1;  ///< of a launch, at most: they keep all of it busy
};

/// A kernel of a way. Those of a way run one after another.
enum class Role : std::uint8_t {
    whole,    ///< of most ways
    partial,  ///< chunks of a reduce: a chunk's result
    finish,   ///< chunks of a reduce: results combined, and what follows the loop
    update,   ///< copies in order: a chunk's updates
    merge,    ///< copies in order: those of all chunks, a warp a destination
    note,     ///< sorted updates: the points, and what they would update; the notes are sorted behind it
    apply,    ///< sorted updates: the updates
    scan,     ///< chunks of a scan or compact, which learn from each other what comes before them
};
constexpr const char* name_of(Role role) {
    constexpr const char* names[] = {"whole", "partial", "finish", "update", "merge", "note", "apply", "scan"};
    return names[static_cast<std::size_t>(role)];
}
/// In the order of execution.
SINTER_SHARED std::vector<Role> roles_of(const Way& way);

/// An array through which blocks know of each other.
struct StateArray {
    std::int64_t element_bytes;
    std::int64_t elements;
    bool cleared = false;  ///< all bytes are 0 when the first kernel begins
};

/// Arrays of sorted updates, an element a point: the destination of its update, or none; these in order; the points in that
/// order; the values, an array each.
namespace note_array {
inline constexpr std::size_t destinations = 0, sorted = 1, order = 2, values = 3;
}

/// Of chunks of a scan: entries of a point, of its chunks, then of the groups that are complete.
constexpr std::int64_t lookback_entries(std::int64_t chunks) { return chunks + chunks / 16 + 1; }

struct Stage {
    Role role;
    std::int64_t blocks;
};

/// Chunks, and so all results, depend on extents alone; blocks on the card, too.
struct Launch {
    std::int64_t points = 1;
    std::int64_t chunks = 1;  ///< of copies in any order: copies that a block has
    std::int64_t chunk_length = 0;
    std::int64_t squares = 0;
    std::int64_t destinations = 0;  ///< of the captured update
    std::vector<Stage> stages;      ///< one after another
    std::vector<StateArray> states;
};

/// The memory that a launch with these numbers needs beside its buffers; how many arrays depends on the way alone.
SINTER_SHARED std::vector<StateArray> states_of(const Way& way, const Launch& launch);
std::vector<Stage> stages_of(const Way& way, const Launch& launch, const Card& card);

}  // namespace sinter::schedule::card
