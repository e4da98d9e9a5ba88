// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thresholds of lifting and of what prepares fusion. Measured where that is said.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::enable::tuning {

/// Arrays that one scatter updates: the updates of an element should stay near each other.
inline constexpr std::size_t most_scattered = 8;

/// Arrays that one filter writes: each has a stream of its own to memory.
inline constexpr std::size_t most_filtered = 8;

/// Instructions of an element of an array whose shape differs from slice to slice: where it is read in memory, with the
/// start of its segment; and from when on an array is written to memory rather than computed wherever it is read.
inline constexpr std::size_t cost_of_read = 4;
inline constexpr std::size_t most_repeated = 24;
/// Slices with more elements are folded in pieces of 2^log_piece. Measured on two threads with lanes of 64 bytes: 1 to 1024
/// slices with 8 million floats together take 6 to 9 ms in pieces, and otherwise from 62 ms (1 to 16 slices) to 18 ms
/// (1024).
inline constexpr std::int64_t longest_undivided = 4096;
inline constexpr int log_piece = 10;
/// What a loop, or mathematics, counts there.
inline constexpr std::size_t cost_of_loop = 100;

/// Elements from which on an array is transposed for those that read it at places of no order: about as many as a second
/// cache has. Six reads of each element, one thread: with 14 000 doubles 0.71 ms instead of 0.66, with 2.6 million 129
/// instead of 202.
inline constexpr std::int64_t least_turned = 1 << 17;

/// Light instructions that the results of a map may have in common and still be computed by maps of their own: in one kernel
/// they are executed once all the same. (The reverse sweep of a step of non-linear heat: its three results, which have 6
/// instructions in common, are read at three offsets. Each beside its reader, a step is one kernel.)
inline constexpr std::size_t most_shared = 8;
/// The results up to which a map is split for its readers: what every two of them have in common is counted. A guess:
/// reverse sweeps have a few.
inline constexpr std::size_t most_split_results = 32;

/// Steps that a loop may look back for what it has written to be a recurrence: each is a state.
inline constexpr std::int64_t most_steps_back = 8;

/// A counted loop ends early when none of so many conditions holds, unless it is known to have fewer iterations than these:
/// they cost less than the jumps. Guesses.
inline constexpr std::size_t most_conditions = 4;
inline constexpr std::int64_t fewest_settling = 8;

/// Steps of a block of an elimination, and the least extents of matrices that are worth it. (LU of doubles on one thread,
/// AVX-512: 256 x 256 takes 0.8 of the time, 400 x 400 0.6, 1000 x 1000 0.28, 2000 x 2000 0.19; blocks of 64 are as good
/// for 1000 and 2000, and worse for 400.)
inline constexpr std::int64_t steps_of_block = 32;
inline constexpr std::int64_t least_blocked = 256;

}  // namespace sinter::enable::tuning
