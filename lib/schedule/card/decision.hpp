// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which way a card runs a kernel on the extents of a call, and why.
#pragma once

#include "schedule/card/launch.hpp"
#include "schedule/facts.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::schedule::card {

/// What can be said before extents are known. Refers to the kernel.
struct Candidates {
    Facts facts;
    std::size_t parameters = 0;         ///< arrays and sizes
    std::int64_t group = 1;             ///< of way Points
    bool in_squares = false;            ///< loads are against the grain, and there are rows
    bool prints = false;                ///< debug_print is in it
    bool chunked = false;               ///< the body's only loop may be cut into chunks
    std::vector<SharedLoop> loops;      ///< of the body, as a team shares each of them
    std::vector<SharedLoop> in_chunks;  ///< the one that may be cut, if there is one, as blocks share a chunk of it

    bool has_many_parameters() const { return parameters > tuning::most_parameters; }
    bool order_shows() const;  ///< if updates were executed in arbitrary order
};
Candidates candidates_of(const lower::Kernel& kernel);

enum class Reason : std::uint8_t {
    no_loops,
    against_grain,      ///< neighbouring points read what lies apart
    many_points,        ///< they keep the card busy without teams
    few_points,         ///< too few for a block each, of a long loop
    length,             ///< of the longest loop
    several_loops,      ///< too short for a warp, but results of one go into the next
    many_updates,       ///< more than destinations, by far
    few_updates,        ///< too few for copies of the destinations, or these have no room
    order_shows,        ///< of updates: they have one
    no_room_in_blocks,  ///< likewise, and copies of the destinations do not fit
    prints,             ///< what is printed is collected on the host
    parameters,         ///< more than a kernel may have
};

struct Decision {
    Way way;
    Launch launch;
    Reason reason = Reason::no_loops;
    std::int64_t elements = 0;  ///< of the longest loop
};

Decision decide(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, const Card& card);

/// What code for the way has to know.
Schedule schedule_of(const Candidates& candidates, const Way& way);

/// The text form. One line for the way and what speaks for it, one for the numbers:
///
///   a block per chunk of a reduce: 1 point, loops of 1000000 elements
///   1 point, 245 chunks of 4096; partial 245 blocks, finish 1 block; 980 bytes between blocks
std::string print(const Candidates& candidates, const Decision& decision);
/// The first line.
std::string summary(const Candidates& candidates, const Decision& decision);

}  // namespace sinter::schedule::card
