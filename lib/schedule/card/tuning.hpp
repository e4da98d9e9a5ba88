// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which kernels, sorts and copies are arranged on a card. The unit is part of the name;
/// otherwise numbers are points or elements. Each one is marked with its source:
///
///   [CUDA]   CUDA's documentation: a property of all cards
///   [layout] what generated code relies on
///   [guess]  reasoned, and not yet compared with other values on a card
///
/// Where several numbers marked [guess] depend on each other, the reasoning stands above them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::schedule::card {

/// Threads that execute together [CUDA: warpSize], and threads of each block of all kernels [guess: a multiprocessor has
/// room for four to eight such blocks, if their kernels need up to 64 registers per thread].
inline constexpr int warp_threads = 32, block_threads = 256;
inline constexpr std::int64_t block_warps = block_threads / warp_threads;

}  // namespace sinter::schedule::card

namespace sinter::schedule::card::tuning {

// Launches.

/// Parameters of 8 bytes that fit in the 4 KiB for a kernel's parameters [CUDA]; and those beside its arrays, sizes and
/// states: the failure record, the guard and three numbers [layout].
inline constexpr std::size_t most_parameters = 512, own_parameters = 5;
/// The most blocks per multiprocessor of a launch; each takes several shares of the work if there is more. Twice as many as
/// fit, so that blocks that end early are followed by others [guess].
inline constexpr std::int64_t blocks_each = 16;

// Points. A card has 10 to 150 multiprocessors of 1024 to 2048 threads each.

/// Points up to which there are too few to keep a card busy with one block each [guess].
inline constexpr std::int64_t few_points = 256;
/// Points from which on one thread each keeps a card busy, although it executes loops alone [guess].
inline constexpr std::int64_t many_points = 16384;
/// Neighbouring points that a thread takes at once if they need no control flow: accesses to arrays of 32 bits become
/// accesses of 16 bytes, the widest there are [CUDA]. Kernels of more than this many instructions gain nothing, and are
/// emitted once per point [guess].
inline constexpr std::int64_t group_points = 4;
inline constexpr std::size_t most_grouped_instructions = 200;
/// Points along an edge of the square that a block executes: as many as make up a block [layout].
inline constexpr std::int64_t square_edge = 16;
/// Squares that are transposed in a block's memory: their edges hold a line of the narrowest elements [CUDA: 128 bytes], but
/// at least as many points as a warp has threads [layout]. A multiprocessor with 64 KiB of memory for blocks, the least
/// there is, has room for three blocks [guess].
inline constexpr std::int64_t line_bytes = 128, least_edge = 32, square_bytes = 20480;
/// Elements that a thread loads before it uses any, and points whose instructions are emitted one after another [guess: 64
/// bytes on their way in every thread are several times what the bandwidth of a card needs].
inline constexpr std::int64_t loads_at_once = 16, points_at_once = 4;

// Tiles of points whose results are in registers, for matrix products.

/// Threads of a block along either axis of a tile [layout]; the widest access of a thread in bytes [CUDA].
inline constexpr std::int64_t tile_threads = 16, access_bytes = 16;
static_assert(tile_threads * tile_threads == block_threads);
/// Elements of the reduce that are in a block's memory at once [guess: with 4 bytes each, a sector of memory along a row];
/// two such stages take at most this much [CUDA: a kernel that asks for no more has 48 KiB].
inline constexpr std::int64_t tile_steps = 8, tile_bytes = 49152;
/// Blocks for which a multiprocessor has to have room: while one waits at a barrier, the other computes. With 8 times 8
/// points a thread has 128 registers, and few bytes of a product are spilled: none to 24 [ptxas 13.0 for sm_75 to sm_90].
inline constexpr int tile_blocks = 2;
/// Bytes of a row, or column, in a stage for tensor cores: the 16 halves, or 8 numbers of TF32, that one instruction takes
/// [CUDA: mma.m16n8k16 and m16n8k8]. Its tile is 16 rows by 8 columns, and the eight warps of a block are two rows of four
/// [layout].
inline constexpr std::int64_t tensor_bytes = 32, tensor_rows = 16, tensor_columns = 8, warps_across = 4, warps_down = 2;
static_assert(warps_across * warps_down == block_warps);
/// Columns of a thread in the largest tiles for tensor cores, whose warps have 64 by 64 points: they read 32 words of the
/// block's memory for 32 instructions, where those of 64 by 32 read 24 for 16. With its 8 rows a thread then has 128 sums,
/// so that a multiprocessor has room for one block [guess].
inline constexpr std::int64_t broad_columns = 16;
inline constexpr int broad_blocks = 1;
/// Values that are kept per row and column, instructions per point and element, and registers that the result of a point
/// may take [guess: above that, the code of a tile is long or its values do not fit in 128 registers].
inline constexpr std::size_t most_kept = 4;
inline constexpr double most_tile_arithmetic = 8;
inline constexpr std::int64_t most_result_registers = 4;
/// Elements of the reduce from which on tiles pay; the least number of tiles of many points and of fewer points for each
/// thread [guess: with less, most multiprocessors of a large card have none, and a thread per point is as fast].
inline constexpr std::int64_t least_tile_elements = 8, many_tiles = 128, few_tiles = 32;

// Loops of the body.

/// Elements from which on a loop is worth a block, or a warp [guess: two to four elements per thread of a block, one for
/// half of the threads of a warp].
inline constexpr std::int64_t block_elements = 1024, warp_elements = 16;
/// The assumed number of elements of a loop whose extents the kernel computes [guess].
inline constexpr std::int64_t unknown_elements = 64;
/// Neighbouring elements that a thread takes at once, for the same reason as with points; blocks with more instructions are
/// emitted once per element [guess].
inline constexpr std::int64_t group_elements = 4;
inline constexpr std::size_t most_straight_instructions = 100;

// Chunks of a reduce are so long that starting a block and combining its result take little time in comparison. All points
// together have no more chunks than keep a large card busy, because one block combines their results. Chunks begin at
// multiples of a length that decides nothing but alignment.

inline constexpr std::int64_t chunk_elements = 4096;  ///< [guess]
inline constexpr std::int64_t wanted_chunks = 1024;   ///< [guess]
inline constexpr std::int64_t chunk_multiple = 1024;  ///< [layout] a power of two
/// The least number of chunks of a loop; if it would have fewer, one block takes all of it [guess].
inline constexpr std::int64_t least_chunks = 2;

// Tiles of scans and compacts: what a block holds in registers at once.

/// Bytes of values that a thread keeps, out of the 256 that are a quarter of all registers and its share at full occupancy
/// [guess]; and the largest number of instructions of all copies of an element's code [guess].
inline constexpr std::int64_t tile_thread_bytes = 64, most_tile_instructions = 240;
/// Blocks for which a multiprocessor has to have room: a thread then has 48 registers, with which a filter of floats spills
/// 0 bytes on sm_90 and 4 on sm_80, a sum of integers none [ptxas 13.0; with 40, for six blocks, 48 and 8 bytes]. Where only
/// four fit, on sm_75, ptxas ignores the number: 72 registers and three blocks, which is enough there.
inline constexpr int scan_blocks = 5;
/// A value takes at least one register [CUDA].
inline constexpr std::int64_t register_bytes = 4;
static_assert(tile_thread_bytes / register_bytes <= 32);  // a word has a bit for each element [layout]
/// Bits of values that are passed in one word together with the flag that says that they are there [layout].
inline constexpr unsigned packed_bits = 63;
/// How long a thread sleeps at most half of [CUDA] before it looks again for what another block is to store [guess: a tenth
/// of the time that a load from the second-level cache takes, so that waiting threads do not crowd out others].
inline constexpr int pause_ns = 32;

// Updates by many threads. Copies of the destinations in a block's memory replace updates in the card's memory, which are
// executed one after another where they meet. Copies have to be filled and merged, with one access per destination and
// block.

/// Points from which on copies pay, in all and per destination [guess].
inline constexpr std::int64_t many_updates = 8192, updates_each = 8;
/// The least number of points of a chunk whose updates a block applies in order [guess].
inline constexpr std::int64_t chunk_points = 4096;
/// Memory of a block for copies. With this much, a multiprocessor with 64 KiB, the least there is, has room for two blocks
/// [CUDA].
inline constexpr std::int64_t copies_bytes = 32768;
/// The largest number of points or destinations of updates that are sorted: they are numbered in 32 bits, and all bits set
/// means none [layout].
inline constexpr std::int64_t most_sorted = 0xffffffff;

// Sorts.

/// Rows shorter than this are sorted together, by key and then by row: it is less than half of what a block moves at a time
/// [guess].
inline constexpr std::int64_t short_sort_row = 2048;
/// Elements that a thread moves at a time, for keys of up to 4 bytes and for longer ones [guess: their keys, places and
/// positions stay in registers].
inline constexpr std::int64_t sort_elements = 16, sort_long_elements = 8;

// Arrays of the host.

/// Bytes up to which an array is copied together with others [guess: a copy takes some microseconds, which is more than
/// placing the array takes].
inline constexpr std::size_t small_bytes = 64;
/// Bytes of the pieces of a large array: enough to keep the bus busy while the next piece is being prepared, and so few that
/// the first one leaves soon [guess].
inline constexpr std::size_t piece_bytes = std::size_t{4} << 20;
/// The share of a card's memory that is kept at most for the next arrays: one in so many bytes [guess: as much as a
/// program's arrays of one step take, and the rest for others in the process].
inline constexpr std::size_t kept_share = 2;

// Repeated launches.

/// The cost of starting a kernel, in bytes that kernels could have moved in the same time: some microseconds of a card's
/// memory [guess: 3 us at 1.5 TB/s].
inline constexpr double launch_bytes = 4 << 20;
/// Recordings that are kept of a sequence, for the different addresses it is called with; and successive calls without a
/// fitting recording, from which on making them costs more than they save [guess].
inline constexpr std::size_t most_recordings = 4;
inline constexpr int most_misses = 8;
/// Launches from which on a sequence is worth recording: a single launch is as fast as a recording.
inline constexpr std::size_t least_recorded = 2;
/// Streams: how many kernels may run at once, none of which fills the card [guess]. And launches up to which it is worth
/// finding out which of them depend on each other, since that takes the square of their number: of a recording or a plan,
/// and of those that were started one by one since all streams were one [guess].
inline constexpr std::size_t most_streams = 4, most_branched = 256, most_open = 32;
/// Bytes up to which a launch takes the memory that it needs for itself not from one that may still run [guess: what all
/// blocks of a launch leave for others fits].
inline constexpr std::size_t rotated_bytes = std::size_t{256} << 10;

// Loops on arrays, launched ahead of their conditions.

/// Iterations of a batch [guess: unneeded launches take at most as long as the needed ones], and bytes that a batch may
/// allocate [guess: a loop that moves more may wait for each condition].
inline constexpr std::size_t most_iterations_ahead = 16, most_ahead_bytes = std::size_t{64} << 20;

// Measuring.

/// The size of the copy by which the bandwidth of memory is measured, many times the second-level cache of any card [CUDA:
/// up to 50 MiB]; and the number of rounds, of which the best counts.
inline constexpr std::size_t measured_bytes = std::size_t{256} << 20;
inline constexpr int measured_rounds = 5;

// Several cards that share launches.

/// What a launch does with an element of a loop, in bytes that a card could move in the same time [guess: a multiplication
/// and an addition of floats, of which a card makes 10 for each byte].
inline constexpr double element_work = 0.2;
/// What a byte from another card costs, in bytes of a card's own memory [guess: 400 of 3000 GB/s]; and what a shared launch
/// costs besides, for each card: the launch, and two waits of a stream for another one [guess].
inline constexpr double moved_byte = 8, shared_launch_bytes = 3 * launch_bytes;
/// Arrays of the host from which on each card gets a part of the array first [guess].
inline constexpr std::size_t least_spread_bytes = 1 << 20;
/// Pieces of an array that a card copies one by one: of more, as of the columns of a matrix, it copies what lies between
/// them, too [guess: a copy takes as long to start as a kernel].
inline constexpr std::size_t most_pieces = 16;
/// A card's memory for a part of an array has room for one in so many more bytes at either end, such as those that a stencil
/// reads of its neighbours, at least so many bytes [guess].
inline constexpr std::int64_t part_margin = 32, least_part_margin = 4096;

}  // namespace sinter::schedule::card::tuning
