// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of this layer.
#pragma once

#include <cstdint>

namespace sinter::place::tuning {

/// Vector instructions of a launch from which on ranks share it: about 40 µs on one processor, which a map of 1 MiB takes.
/// An exchange takes 2 to 4 µs on a network (published for MPI), and 20 µs between two processes of a busy machine.
inline constexpr double least_work = 1 << 17;

/// Elements of a sort from which on ranks share it. Finding the cuts takes about 40 exchanges of 20 µs each, between two
/// processes of a busy machine; 2^18 elements are sorted in a few milliseconds.
inline constexpr std::int64_t least_sorted = 1 << 18;

/// Bytes of an array from parts from which on it stays in blocks. Below, all ranks get all of it: it takes no longer than
/// the reads of single elements that are then without messages.
inline constexpr std::int64_t least_blocks_bytes = 1 << 16;

/// Bytes of a band of a row from which on ranks send bands, as for a transpose, and not whole arrays.
inline constexpr std::int64_t least_band_bytes = 256;

}  // namespace sinter::place::tuning
