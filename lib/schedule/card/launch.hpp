// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of a launch on a card: points, chunks and blocks; the kernels that run one after another; and the memory
/// through which their blocks communicate.
#pragma once

#include "schedule/card/way.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <vector>

namespace sinter::schedule::card {

/// What is known about a card.
struct Card {
    std::int64_t blocks = 1;    ///< the most blocks of a launch: they keep the whole card busy
    bool tensor_cores = false;  ///< they multiply 16 by 16 halves with 16 by 8, and half as many of TF32
};

/// A kernel of a way. Those of a way run one after another.
enum class Role : std::uint8_t {
    whole,    ///< the only kernel of most ways
    partial,  ///< chunks of a reduce: computes the result of a chunk
    finish,   ///< chunks of a reduce: combines results, and executes what follows the loop
    update,   ///< copies in order: executes the updates of a chunk
    merge,    ///< copies in order: combines those of all chunks, with one warp per destination
    note,     ///< sorted updates: executes the points and notes what they would update; the notes are then sorted
    apply,    ///< sorted updates: executes the updates
    scan,     ///< chunks of a scan or compact, which learn from each other what precedes them
};
constexpr const char* name_of(Role role) {
    constexpr const char* names[] = {"whole", "partial", "finish", "update", "merge", "note", "apply", "scan"};
    return names[static_cast<std::size_t>(role)];
}
/// The kernels of a way, in the order of execution.
SINTER_SHARED std::vector<Role> roles_of(const Way& way);

/// An array through which blocks communicate.
struct StateArray {
    std::int64_t element_bytes;
    std::int64_t elements;
    bool cleared = false;  ///< all bytes have to be 0 when the first kernel begins
};

/// An array with a bit for each of so many elements.
constexpr StateArray bits_for(std::int64_t elements) {
    constexpr std::int64_t word_bits = 32;
    return {word_bits / 8, (elements + word_bits - 1) / word_bits, true};
}

/// The arrays of sorted updates, with one element per point: the destination of its update, or none; the destinations in
/// order; the points in that order; then one array per value.
namespace note_array {
inline constexpr std::size_t destinations = 0, sorted = 1, order = 2, values = 3;
}

/// For chunks of a scan: the number of entries per point, of its chunks and then of the complete groups of chunks.
constexpr std::int64_t lookback_entries(std::int64_t chunks) { return chunks + chunks / 16 + 1; }

struct Stage {
    Role role;
    std::int64_t blocks;
};

/// The numbers of a launch. Chunks, and therefore all results, depend on extents alone; blocks depend on the card as well.
struct Launch {
    std::int64_t points = 1;
    std::int64_t chunks = 1;  ///< for copies in any order: the number of copies in a block
    std::int64_t chunk_length = 0;
    std::int64_t tiles = 0;         ///< of points, each of which a block takes
    std::int64_t destinations = 0;  ///< of the captured update: number of elements
    std::vector<Stage> stages;      ///< kernels that run one after another
    std::vector<StateArray> states;
};

/// The memory that a way needs beside buffers, for a launch with these numbers. The number of arrays depends on the way
/// alone.
SINTER_SHARED std::vector<StateArray> states_of(const Way& way, const Launch& launch);
/// The kernels that have something to do: copies for a destination without elements are not merged.
std::vector<Stage> stages_of(const Way& way, const Launch& launch, const Card& card);

/// What a launch is cut along, where several cards make a part of it each. Parts have the numbers of the whole launch, so
/// the bits do not depend on them. Points of the outermost axis, or chunks of a reduce, whose results one card combines.
enum class Cut : std::uint8_t { nowhere, at_points, at_chunks };
Cut cut_of(const Way& way);

/// Kernels with one axis begin at a multiple of this many points, so that they know how arrays are aligned.
inline constexpr std::int64_t part_unit = 16;
inline std::int64_t unit_of(const lower::Kernel& kernel) { return kernel.space.size() == 1 ? part_unit : 1; }

/// The launch of a part of so many of `extent` points of the outermost axis or, without the role that combines them, of
/// chunks.
Launch part_of(const Way& way, const Launch& whole, std::int64_t length, std::int64_t extent, const Card& card);

}  // namespace sinter::schedule::card
