// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which way a card runs a kernel for the extents of a call, and why.
#pragma once

#include "schedule/card/launch.hpp"
#include "schedule/facts/facts.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::schedule::card {

/// What is known before extents are. Refers to the kernel.
struct Candidates {
    Facts facts;
    std::size_t parameters = 0;                   ///< number of arrays and sizes
    std::int64_t group = 1;                       ///< for way Points: points per thread
    bool in_squares = false;                      ///< loads are against the grain, and there are rows
    std::optional<TransposedSquares> transposed;  ///< if these loads may go through the memory of a block
    std::optional<RegisterTiles> tiles;           ///< if the kernel has the form of a matrix product
    bool prints = false;                          ///< it contains debug_print
    bool chunked = false;                         ///< the body's only loop may be cut into chunks
    std::vector<SharedLoop> loops;                ///< by loop of the body: how a team shares it
    std::vector<SharedLoop> in_chunks;  ///< how a block shares a chunk of the loop that may be cut, if there is one
    Scatters scatters;                  ///< at which stores threads may meet

    /// True if a way has more parameters than a kernel may have.
    bool has_many_parameters(const Way& way, std::size_t more = 0) const;
    bool order_shows() const;  ///< True if results would show in which order updates are executed.
};
Candidates candidates_of(const lower::Kernel& kernel);

enum class Reason : std::uint8_t {
    no_loops,
    product,            ///< elements combine what rows need with what columns need
    against_grain,      ///< neighbouring points read elements that lie far apart
    many_points,        ///< there are enough points to keep the card busy without teams
    few_points,         ///< there are too few points to give each a block, and the loop is long
    length,             ///< the length of the longest loop
    several_loops,      ///< loops are too short for a warp, but the results of one are used by the next
    many_updates,       ///< there are far more updates than destinations
    few_updates,        ///< there are too few updates for copies of the destinations, or no room for copies
    order_shows,        ///< the order of updates shows
    no_room_in_blocks,  ///< the order of updates shows, and copies of the destinations do not fit
    prints,             ///< what is printed is collected on the host
    parameters,         ///< there are more parameters than a kernel may have
    accumulators,       ///< it updates accumulators, which only the host has
};

struct Decision {
    Way way;
    Launch launch;
    Reason reason = Reason::no_loops;
    std::int64_t elements = 0;  ///< of the longest loop
};

Decision decide(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, const Card& card);

/// What the code for this way has to know.
Schedule schedule_of(const Candidates& candidates, const Way& way);

/// The text form: one line for the way and the reason, one for the numbers:
///
///   a block per chunk of a reduce: 1 point, loops of 1000000 elements
///   1 point, 245 chunks of 4096; partial 245 blocks, finish 1 block; 980 bytes between blocks
std::string print(const Candidates& candidates, const Decision& decision);
/// The first line.
std::string summary(const Candidates& candidates, const Decision& decision);

}  // namespace sinter::schedule::card
