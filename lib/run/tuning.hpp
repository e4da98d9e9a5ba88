// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers by which calls are prepared and executed, each with its unit and what it was measured by. Numbers without a
/// measurement are guesses.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sinter::runtime::tuning {

// Loops.

/// Iterations from which on a loop is made ready as a region (region/region.hpp). A guess: making it takes about as long as
/// executing two or three iterations step by step.
inline constexpr std::int64_t fewest_iterations = 4;
/// Bytes of the largest array whose memory a region keeps for its next ones; more goes back to the pool, where others find
/// it: what that costs is little beside filling it. A guess.
inline constexpr std::size_t most_kept_bytes = 256 << 10;
/// Bytes of a state from which on a loop inside of a loop may gain more from tiles than from a region, which saves about a
/// microsecond a launch: its steps take longer than 20. A guess.
inline constexpr std::int64_t least_bytes_of_long_step = 512 << 10;
/// Launches of a region for which it counts that threads have shared one: those of an iteration of usual loops. A guess.
inline constexpr int remembered_launches = 8;

/// Launches of a loop with short steps, and of those inside of it, after which it is compiled as one kernel
/// (plan/loop_kernel.hpp): by then it has lost about as much time (0.15 to 0.6 us per launch) as quick code for that takes
/// (3 to 9 ms).
inline constexpr double launches_before_kernel = 15000;
/// Segments of a loop that goes there and back whose launches are remembered: the full ones, the last one, and others of
/// calls with other extents. A guess.
inline constexpr std::size_t most_known_sweeps = 4;
/// Plans that a loop remembers whose iterations are done tile by tile, for extents and numbers of iterations; and parts of
/// tiles up to which one is remembered, some 300 bytes each. Guesses.
inline constexpr std::size_t most_known_tiles = 4, most_known_parts = std::size_t{1} << 16;
/// Extents whose cascades a run of launches remembers; and launches of a cascade, all of whose beginnings are considered.
/// Guesses.
inline constexpr std::size_t most_known_cascades = 4, most_launches_of_cascade = 12;
/// The work in parts, as a share of that of a whole launch that takes its own way, up to which it may be in a cascade
/// (bundle adjustment, whose short rows are counted as one axis otherwise, at 1.4: 1.6 times as long in parts).
inline constexpr double most_work_in_parts = 1.1;
/// Segments that a loop has gone there and back after which kernels are compiled that only these launch, because they do not
/// copy states to tapes: each segment may save as much as a tenth of a millisecond, compiling takes about 5. A guess.
inline constexpr std::int64_t sweeps_before_kernels = 16;
/// What a loop with a condition counts as. A guess.
inline constexpr double steps_of_condition = 1000;
/// The work of a launch that is short, in vector instructions: a dot product of 8000 f64, or x + a y of as many. Loops of
/// these take 0.97 and 1.7 us a step in one kernel, 1.9 and 2.8 with launches that two threads share (Sapphire Rapids); with
/// 1000 elements 0.08 and 0.09 instead of 0.7 and 0.3, with 16000 3.6 and 4.6 instead of 3.5 and 3.8.
inline constexpr double most_work_of_short_step = 6000;

// Plans and kernels.

/// Plans of a program: calls with more classes of extents than this run with the first plan.
inline constexpr std::size_t most_variants = 64;
/// Wishes of a program, and sets of them that have held: beyond these, calls run as if no wish held.
inline constexpr std::size_t most_wishes = 64, most_families = 16;
/// Kernels up to which nobody looks for those that are not used any more.
inline constexpr std::size_t few_kernels = 64;
/// Operations of a size beyond which it is evaluated as a part of the table of all sizes, and not as a tree of its own.
inline constexpr std::size_t largest_size = 100;

// Sorting on the host.

/// Rows shorter than this are sorted by comparisons: a pass of the radix sort costs as much as this many moves.
inline constexpr std::int64_t short_row = 512;
/// Rows up to these lengths are sorted by counting, for each key, those less than it: of keys of 4 bytes and less, and of 8.
/// In ns an element, counted and compared, on one thread of a loaded machine: 4 bytes, rows of 9 13 and 50, of 32 13 and 80,
/// of 400 94 and 170; 8 bytes, of 9 36 and 50, of 32 52 and 90, of 64 100 and 115, of 200 270 and 130.
inline constexpr std::int64_t counted_row = 512, counted_wide_row = 64;
/// Elements of rows that a task sorts, and elements of a row that a thread counts and moves at least.
inline constexpr std::int64_t sorted_together = 1 << 16, least_sorted_block = 1 << 15;
/// If more than one in so many elements of each sorted line is needed, all are sorted.
inline constexpr std::int64_t selected_of = 16;

// Threads.

/// A member of the team waits awake for the next loop: at least and at most this long, depending on how soon loops came so
/// far; others may have the processor between two looks after `polite_after`.
inline constexpr std::chrono::microseconds least_patience{20}, most_patience{2000}, polite_after{50};
/// Loops that come within this time are together worth waking members for.
inline constexpr std::chrono::microseconds soon{500};
/// The time between attempts to start threads, if the system had not enough of them.
inline constexpr std::chrono::seconds between_starts{1};
/// How long threads share a loop's launches in one way before its time counts (threads/thread_use.hpp): long enough for
/// caches to hold what that way needs; how many launches go by between two looks at the clock; how often each way has its
/// turn; and after how many of these times all ways have another one. A way that is three times as slow then costs less than
/// a fiftieth.
inline constexpr std::chrono::milliseconds least_period{4};
inline constexpr std::int64_t launches_between_looks = 16;
inline constexpr int periods_of_a_look = 2, periods_between_looks = 512;
/// Launches that take this long gain by sharing wherever their arrays are. A guess: it moves 200 KB from cache to cache.
inline constexpr std::chrono::microseconds long_launch{100};
/// How many times as long as a launch that is worth sharing a long one is.
inline constexpr int length_of_long_ones = 8;
/// Into how many pieces the share of a thread is divided in a loop that runs beside another one, where others may come late.
inline constexpr int pieces_of_a_thread = 16;
/// Bytes that a thread copies at a time.
inline constexpr std::size_t copied_together = std::size_t{1} << 20;

}  // namespace sinter::runtime::tuning
