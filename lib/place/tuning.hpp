// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of this layer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::place::tuning {

/// Vector instructions of a launch from which on ranks share it: about 40 µs on one processor, which a map of 1 MiB takes.
/// An exchange takes 2 to 4 µs on a network (published for MPI), and 20 µs between two processes of a busy machine.
inline constexpr double least_work = 1 << 17;

/// Vector instructions that take as long as a microsecond (those of least_work), as a byte that arrives, as an exchange
/// between ranks, and as what a shared launch does besides.
inline constexpr double work_per_us = 3277, byte_work = 1, exchange_work = 1 << 16, shared_launch_work = 1 << 15;

/// More than all bytes of an exchange: where everything is to be shared that can be.
inline constexpr double always_work = std::int64_t{1} << 40;

/// How often loops are taken to run that end when data say so.
inline constexpr std::int64_t guessed_iterations = 16;

/// Elements of a sort from which on ranks share it. Finding the cuts takes about 40 exchanges of 20 µs each, between two
/// processes of a busy machine; 2^18 elements are sorted in a few milliseconds.
inline constexpr std::int64_t least_sorted = 1 << 18;

/// Bytes of an array from parts from which on it stays in blocks. Below, all ranks get all of it: it takes no longer than
/// the reads of single elements that are then without messages.
inline constexpr std::int64_t least_blocks_bytes = 1 << 16;

/// Bytes of a band of a row from which on ranks send bands, as for a transpose, and not whole arrays.
inline constexpr std::int64_t least_band_bytes = 256;

/// Ways to share launches that are all tried in combination, each with a minimum cut; of more, one way is changed at a time.
/// A cut of 50 launches takes 50 µs.
inline constexpr double most_combinations = 64;

/// Ways to store more than fusion would that are planned and compared, when layouts are chosen. A guess: each takes about as
/// long as the plan did.
inline constexpr std::size_t most_plans = 8;

}  // namespace sinter::place::tuning
