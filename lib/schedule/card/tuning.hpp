// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which kernels, sorts and copies are arranged on a card. A name says the unit, else it is
/// points or elements. Behind each stands where it comes from:
///
///   [CUDA]   CUDA's documentation: a property of all cards
///   [layout] what generated code relies on
///   [guess]  reasoned, and not yet compared with other values on a card
///
/// Where several of [guess] depend on each other the reasoning stands above them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::schedule::card {

/// Threads that execute together [CUDA: warpSize], and of the blocks of all kernels [guess: a multiprocessor has room for
/// four to eight such blocks, of kernels that need up to 64 registers per thread for all of its threads].
inline constexpr int warp_threads = 32, block_threads = 256;
inline constexpr std::int64_t block_warps = block_threads / warp_threads;

}  // namespace sinter::schedule::card

namespace sinter::schedule::card::tuning {

// What a launch may have.

/// Arrays and sizes of a kernel: with all else that is passed they fit the 4 KiB of a kernel's parameters [CUDA].
inline constexpr std::size_t most_parameters = 480;
/// Blocks per multiprocessor, of which a launch has no more: each takes several shares then. Twice what fits, so that those
/// that end early are followed by others [guess].
inline constexpr std::int64_t blocks_each = 16;

// Points. A card has 10 to 150 multiprocessors of 1024 to 2048 threads each.

/// Points up to which there are too few to keep a card busy with a block each [guess].
inline constexpr std::int64_t few_points = 256;
/// Points from which on a thread each keeps it busy, though it goes through loops alone [guess].
inline constexpr std::int64_t many_points = 16384;
/// Neighbouring points that a thread takes at once where they need no control flow: accesses to arrays of 32 bits become
/// ones of 16 bytes, the widest there are [CUDA]; a kernel so large gains nothing, and is emitted once per point [guess].
inline constexpr std::int64_t group_points = 4;
inline constexpr std::size_t most_grouped_instructions = 200;
/// Points along an edge of the square that a block executes: as many as make a block [layout].
inline constexpr std::int64_t square_edge = 16;

// Loops of the body.

/// Elements of a loop from which on it is worth a block, or a warp [guess: two to four elements per thread of a block, half
/// of the threads of a warp].
inline constexpr std::int64_t block_elements = 1024, warp_elements = 16;
/// Elements of a loop whose extents the kernel computes [guess].
inline constexpr std::int64_t unknown_elements = 64;
/// Neighbouring elements that a thread takes at once, likewise; a block of instructions that is longer is emitted once per
/// element [guess].
inline constexpr std::int64_t group_elements = 4;
inline constexpr std::size_t most_straight_instructions = 100;

// Chunks of a reduce: at least so long that starting a block and combining its result are small beside it; of all points
// together not more than keep a large card busy, since their results are combined by one block. Chunks begin at multiples of
// a length that decides no more than alignment.

inline constexpr std::int64_t chunk_elements = 4096;  ///< [guess]
inline constexpr std::int64_t wanted_chunks = 1024;   ///< [guess]
inline constexpr std::int64_t chunk_multiple = 1024;  ///< [layout] a power of two
/// A loop has at least so many chunks, else a block takes all of it [guess].
inline constexpr std::int64_t least_chunks = 2;

// Tiles of scans and compacts: what a block has in registers at once.

/// Bytes of values that a thread keeps, of the 256 that a quarter of the registers are which it may have at full occupancy
/// [guess]; instructions that the copies of an element's code may come to [guess].
inline constexpr std::int64_t tile_thread_bytes = 64, most_tile_instructions = 240;
/// A value takes at least a register [CUDA].
inline constexpr std::int64_t register_bytes = 4;
/// Bits of values that travel in one word with the flag that says so [layout].
inline constexpr unsigned packed_bits = 63;

// Updates by many threads. Copies of the destinations in a block's memory take the place of updates in the card's memory,
// which follow each other where they meet; they have to be filled and merged, an access per destination and block.

/// Points from which on copies pay, as a number and per destination [guess].
inline constexpr std::int64_t many_updates = 8192, updates_each = 8;
/// Points of a chunk whose updates a block applies in order: at least [guess].
inline constexpr std::int64_t chunk_points = 4096;
/// Memory of a block for copies: with this much a multiprocessor of 64 KiB, the least there is, has two blocks [CUDA].
inline constexpr std::int64_t copies_bytes = 32768;
/// Points and destinations of updates that are sorted are numbered in 32 bits, all of them set for none [layout].
inline constexpr std::int64_t most_sorted = 0xffffffff;

// Sorts.

/// Rows shorter than this are sorted together, by key and then by row: less than half of what a block moves at a time
/// [guess].
inline constexpr std::int64_t short_sort_row = 2048;
/// Elements that a thread moves at a time, of keys of up to 4 bytes and of longer ones [guess: their keys, places and
/// positions stay in registers].
inline constexpr std::int64_t sort_elements = 16, sort_long_elements = 8;

// Arrays of the host's.

/// Bytes up to which an array travels with others, in one copy [guess: a copy takes some microseconds, which is more than
/// placing it here takes].
inline constexpr std::size_t small_bytes = 64;
/// Bytes of a piece of a large one: enough for the bus to be busy while the next is put in place, and so few that the first
/// one leaves soon [guess].
inline constexpr std::size_t piece_bytes = std::size_t{4} << 20;

// Launches again and again.

/// What starting a kernel costs, in bytes that kernels could have moved meanwhile: some microseconds of a card's memory
/// [guess: 3 us at 1.5 TB/s].
inline constexpr double launch_bytes = 4 << 20;
/// Recordings that are kept of a sequence, by the addresses it is called with; calls in a row without one that fits, from
/// which on making them costs more than they save [guess].
inline constexpr std::size_t most_recordings = 4;
inline constexpr int most_misses = 8;
/// Launches from which on a sequence is worth recording: one is as quick as a recording.
inline constexpr std::size_t least_recorded = 2;

// Loops on arrays, launched ahead of their conditions.

/// Iterations of a batch: what is launched in vain takes as long as what was wanted, at most [guess]; bytes that a batch may
/// allocate: whoever moves more may wait for each condition [guess].
inline constexpr std::size_t most_iterations_ahead = 16, most_ahead_bytes = std::size_t{64} << 20;

// Measuring.

/// The copy that memory's bandwidth is measured with: many times the second cache of any card [CUDA: up to 50 MiB]; the best
/// of so many.
inline constexpr std::size_t measured_bytes = std::size_t{256} << 20;
inline constexpr int measured_rounds = 5;

}  // namespace sinter::schedule::card::tuning
