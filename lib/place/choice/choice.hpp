// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches of a plan ranks share, and which arrays stay in blocks: chosen for all of them together, at the least
/// price.
///
/// A launch is whole on every rank, or shared in one of its ways. An array is replicated, or in blocks. A rank that makes a
/// whole launch needs all of what it reads, and has all of what it makes. A shared launch takes less of the ranks' time; it
/// receives what its parts read of arrays in blocks, and nothing of replicated ones. To replicate what it makes in blocks,
/// all ranks receive all of it, once, which serves all that read it.
///
/// For given ways, whatever a launch pays when it is whole and an array in blocks is no less than what it pays when shared,
/// so that the choice is a minimum cut (min_cut.hpp). Ways that make different arrays in blocks are tried in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::place {

/// In vector instructions of one rank.
using Price = std::int64_t;
inline constexpr Price never = Price{1} << 50;

struct Read {
    std::size_t array;
    Price received;  ///< by parts of a shared launch if the array is in blocks; `never` where they need all of it
};

struct Write {
    std::size_t array;
    bool in_blocks = true;  ///< a shared launch makes it so; it has all of it on all ranks otherwise
    Price gathering = 0;    ///< to replicate it then
};

struct WayOfLaunch {
    Price work = 0;  ///< of the busiest rank, with partial results that it receives
    std::vector<Read> reads;
    std::vector<Write> writes;
};

struct ChoiceOfLaunch {
    Price whole = 0;                ///< its work
    std::vector<WayOfLaunch> ways;  ///< in the order in which they are preferred; all read and write the same arrays
    std::vector<std::size_t> reads, writes;
};

/// An array that becomes another, as the states of loops do: if the first is in blocks and the second is not, it is
/// gathered.
struct Becomes {
    std::size_t from, to;
    Price gathering;
};

/// What can be chosen. Arrays are numbers.
struct Choices {
    std::size_t arrays = 0;
    std::vector<ChoiceOfLaunch> launches;
    std::vector<Becomes> becomes;
    std::vector<std::optional<Price>> given;  ///< by array: given in blocks, or made so by what has no choice, and the price
                                              ///< of gathering it; else what makes it decides
    std::vector<bool> replicated;             ///< by array: all ranks have or need all of it
    Price meeting = 0;                        ///< for sharing anything at all
};

/// What is chosen.
struct Choice {
    std::vector<std::optional<std::size_t>> ways;  ///< by launch: the number of its way; nothing if it is whole
    std::vector<bool> in_blocks;                   ///< by array
    Price price = 0;
    bool is_best = true;  ///< there were not too many ways to try all of them
};

/// The best choice.
Choice choose(const Choices& choices);

/// What a choice costs; at least `never` if it is none.
Price price_of(const Choices& choices, const Choice& choice);

}  // namespace sinter::place
