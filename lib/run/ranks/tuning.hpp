// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of this layer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::runtime::tuning {

/// Seconds without any message after which the ranks give up, unless SINTER_RANKS_TIMEOUT says otherwise: longer than what
/// one rank does alone while others wait, such as reading a file, and short enough for somebody to wait for it. A rank that
/// ends is noticed at once.
inline constexpr double longest_silence = 600;

/// Emulated ranks: seconds in which the others have to end after one has failed; as mpirun, but it waits less.
inline constexpr double grace = 3;

/// Memory for what a filter keeps of a rank's elements has room for one in this many more at either end, so that it can
/// become that of the rank's part of the result, of which other ranks have kept a few elements; unless the room is this many
/// times what the part needs. Copying 6 of 8 MiB takes a third of the time of the filter (2 ranks).
inline constexpr std::int64_t kept_margin = 16, most_kept_room = 2;

/// Messages from one rank to another that are sent as they are; more are packed into one, for a message costs as much as
/// copying some kilobytes.
inline constexpr std::size_t most_places = 8;

/// Bytes in many places from which on a near rank is read, instead of packing them: it takes two more short messages, and
/// then one copy in place of three.
inline constexpr std::size_t read_from = std::size_t{64} << 10;

/// Bytes of a rank's rows from which on they are in memory that near ranks can map. It has no huge pages: were all rows
/// there, a multigrid on 128^3 points would take about 5 % longer, and products with a vector 8 %. So only arrays of extents
/// of which columns were read before are, of so many extents; and so many arrays of several ranks stay mapped for the next
/// launch: to map 16 MiB anew takes as long as copying what a transpose needs of them (0.6 ms), mapped before nothing.
inline constexpr std::int64_t shown_from = std::int64_t{256} << 10;
inline constexpr std::size_t most_shown_kinds = 32, most_kept_views = 8;

/// Mappings for borders at both ends of arrays that are kept for the next launch, and the bytes of each that may have become
/// memory. To get that memory anew took a tenth of the time of a multigrid on 128^3 points (2 ranks).
inline constexpr std::size_t most_kept_mappings = 4, most_kept_touched = std::size_t{16} << 20;

}  // namespace sinter::runtime::tuning
