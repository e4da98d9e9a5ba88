// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How ranks share a launch: the stage between schedules and execution that decides which rank computes what, which arrays
/// are cut into blocks of rows, and what has to travel before.
///
/// A launch is shared by *points*, where each rank computes the rows of the results that it is to have, or by *chunks* of a
/// reduce, whose partial results all ranks get and combine in the same way. Either way the launch is a part of the one that
/// a single rank would make, with its sizes, chunks and order of combination, and so are the bits. Kernels do not know of
/// it.
///
/// What a launch can do follows, after fusion, from the elements that parts of the kernel reach. So views and chains of
/// stencils that were fused need what they read together and nothing else. What it does is chosen for all launches of a plan
/// together (choice/choice.hpp), or, where this was impossible, launch by launch. All ranks make the same decisions, because
/// these depend on extents and layouts only.
#pragma once

#include "place/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinter::place {

/// An array that the launch reads or writes; for what it writes, `layout` says where it would be cut. Arrays of rank 0 are
/// never in blocks: all ranks know all numbers.
struct Operand {
    Layout layout;
    std::int64_t bytes_each = 1;
};

/// What is known of a launch. `points` and `reduced` refer to the kernel's buffers: inputs, then outputs.
struct LaunchFacts {
    double work = 0;  ///< vector instructions
    const schedule::PartFacts* points = nullptr;
    std::int64_t least_points = 1;  ///< of a part that has any
    const schedule::PartFacts* reduced = nullptr;
    std::int64_t chunk_length = 1, chunks = 1;  ///< the last chunk may be longer
    std::vector<Operand> inputs, outputs;
};

enum class Way : std::uint8_t {
    whole,   ///< every rank makes the whole launch, and has all results
    points,  ///< results are in blocks
    chunks,  ///< every rank has all results, but for those that scans and compacts write, which are in blocks
};

struct Share {
    Way way = Way::whole;
    std::string why;              ///< for people: why not by points, or not at all; may be empty
    std::vector<bool> gathered;   ///< by input: it is in blocks, and all ranks need all of it
    std::vector<bool> looked_up;  ///< by input: gathered, unless ranks find that they look up few of its rows only
    std::vector<Interval> parts;  ///< by rank: indices of the outermost axis, or chunks
};

/// From which on something is worth while.
struct Least {
    double work = 0;              ///< of a launch that is shared
    std::int64_t band_bytes = 0;  ///< of a band that is not gathered with all that is between bands
};

/// What a number of a row that is looked up takes in a message.
inline constexpr std::int64_t number_bytes = 8;

/// A way to share a launch.
struct Offer {
    struct Input {
        bool gathered = false;     ///< it has to be, if it is in blocks
        std::int64_t missed = 0;   ///< elements of other ranks that all ranks together read, where it need not be
        std::int64_t busiest = 0;  ///< bytes that the busiest rank receives then
        bool looked_up = false;    ///< that is an estimate, for it reads rows at numbers
    };
    Share share;                ///< without what is decided of inputs
    std::vector<Input> inputs;  ///< what is read of them, for those that are in blocks
};
/// All ways there are, in the order in which they are preferred; why there are none, or none by points, in `why`.
std::vector<Offer> offers(const LaunchFacts& launch, int ranks, const Least& least, std::string& why);

/// What was chosen for a launch.
struct Wish {
    Way way = Way::whole;
    std::vector<bool> gathered;  ///< by input
    bool estimated = false;      ///< for extents that were not known: a launch that turns out to be small is not shared
};

/// Decides; as it is wished, if that is possible. Takes time proportional to the number of ranks, and of the bands that are
/// read.
Share share(const LaunchFacts& launch, int ranks, const Least& least, const Wish* wish = nullptr);

/// Indices of the axis that is cut: of points, or those that chunks consist of.
Interval indices(const LaunchFacts& launch, Way way, const Interval& part);

/// Of a launch by chunks: whether they write elements of this output, as those of a scan do, and which ones a rank's write.
bool writes(const LaunchFacts& launch, std::size_t output);
Interval written(const LaunchFacts& launch, const Share& share, std::size_t output, int rank);

/// A part of a rank's part for which all elements can be where the kernel expects them.
struct Piece {
    Interval part;
    /// By input: elements that have to be brought together for it, in memory of their own, in their order; none where the
    /// rank has them side by side.
    std::vector<std::vector<Interval>> brought;
};

/// What the points or chunks of a part read of an input: one interval, or both ends of it.
std::vector<Interval> needed(const LaunchFacts& launch, Way way, std::size_t input, const Interval& part);
/// How many of the elements that are needed a rank does not have.
std::int64_t missing(const std::vector<Interval>& needed, const Interval& own);
/// Bytes that the busiest rank receives if an input in blocks is gathered.
std::int64_t gathered_bytes(const Operand& input, int ranks);
/// By rank: rows of an input that are looked up, and that other ranks have, as if each number were that of another row.
std::vector<std::int64_t> rows_missed(const LaunchFacts& launch, const Share& share, std::size_t input, int ranks);

/// Whether ranks exchange the rows of an input that they look up, of which they miss so many together, with their numbers;
/// it is gathered otherwise.
bool is_worth_looking_up(std::int64_t missed, const Layout& layout, std::int64_t bytes_each, int ranks);

/// The pieces of a rank: the interior, which reads what the rank has, and the borders.
std::vector<Piece> pieces(const LaunchFacts& launch, const Share& share, int ranks, int rank);

/// Elements of an input that `from` sends to `to` for one of the latter's pieces.
struct Transfer {
    int from, to;
    std::size_t piece, input;
    Interval elements;
};

/// Everything that goes to a rank, in an order that sender and receiver both know.
std::vector<Transfer> transfers_to(const LaunchFacts& launch, const std::vector<Piece>& pieces, int ranks, int rank);

}  // namespace sinter::place
