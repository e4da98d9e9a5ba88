// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which schedules are chosen. Prices are in vector instructions of 256 bits whose operands are
/// in the nearest cache, about a quarter of a nanosecond each; lengths are in elements unless the name says bytes. Each
/// number is accompanied by what it was measured with: names of programs are those of bench/ (`sinter_bench`,
/// `sinter_algorithms`) or of examples/programs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::schedule::tuning {

// The instructions of a lane.

/// The assumed number of iterations of a loop inside a lane.
inline constexpr double inner_iterations = 16;
/// A division, root or remainder in a lane loop, which has little else to do meanwhile (throughput of vdivps, vsqrtps: Zen
/// 3, Skylake). It has other prices where other work goes on beside it: division_in_tile, speculated_division, and those of
/// lower/tuning.hpp.
inline constexpr double division = 12;
/// An access to an element of its own in each lane: a load; a store, for which there is no instruction before AVX-512. Not
/// measured.
inline constexpr double gathered_element = 1, scattered_element = 2;
/// The distance of lanes up to which elements are loaded with those between them, and shuffled, instead of one by one
/// (Sapphire Rapids, sums and products of 2^17 elements two to four apart: u8 0.3 to 0.6 of the time, i16 0.4 to 0.7, f32
/// 0.6 to 0.9, f64 0.9 to 1; five apart would be a draw).
inline constexpr std::int64_t most_interleaved = 4;
/// Where lanes end at different times and there is no fast gather: instructions that load an element of a lane under a mask,
/// and wait for it; the time of lanes that wait for the longest, relative to their own; a division that is not in lanes; the
/// control of a loop that is not in lanes, whose end is mispredicted (Zen 3: a sparse matrix times a vector, rows of 5 to 35
/// elements, 11.3 ms in lanes and 2.1 one by one; chains of indices, one load per step, 1.8 and 2.2 ms).
inline constexpr double gathered_lane = 6, divergent_wait = 1.5, scalar_division = 6, scalar_loop = 120;
/// What a lane does to update an element at which lanes may meet: load an offset, load the element, store it. By counting.
inline constexpr double update_accesses = 3;
/// What combining a value of all lanes costs per lane before one element is updated with it: a tree of shuffles. By
/// counting. And what waiting for the update before costs points that go one by one: 3.4 ns per point (k-means, Zen 3).
inline constexpr double shared_update = 1, waiting_update = 13;
/// A vector instruction of 512 bits, in those of 256 bits: fewer ports execute them, and data that is not in the nearest
/// cache comes no faster (triad, f32 2^14 and 2^20, Zen 4).
inline constexpr double wide_instruction = 1.5;

/// Scalar instructions inside of loops, which all lanes share: the price of one, of which a processor begins several in the
/// time of a vector's; those of a division or remainder of an index by a constant, and by another number (a layer of
/// convolutions whose windows are indices divided by 15, 5 and 3, Sapphire Rapids: 13.8 for an element of five such
/// divisions, three checks and six vector instructions).
inline constexpr double scalar_instruction = 0.25;
inline constexpr double division_by_number = 5, division_by_variable = 40;

// The lanes of a loop.

/// The share of a loop's instructions that decides its width: a wider type that is rarer costs a second register now and
/// then; a narrower one leaves registers half empty (mixed f32/f64 maps).
inline constexpr double deciding_share = 0.3;
inline constexpr int most_lanes = 64;
/// Instructions of a body up to which four, or two, vectors go side by side: enough to hide latencies, and few enough for
/// the registers (polynomials of degree 1 to 40).
inline constexpr double body_of_four = 8, body_of_two = 24;
/// The same of two, where each step of a loop divides what the step before has left, or by it: a second vector goes on while
/// the first one waits (elimination down the columns of a grid, right sides made by a stencil, f32, Sapphire Rapids: a body
/// of 37, two vectors instead of one 0.6 of the time, four no less).
inline constexpr double waiting_body_of_two = 64;
/// Accumulators of a loop from which on there are no registers left for vectors side by side.
inline constexpr std::size_t many_accumulators = 4;
/// Instructions beyond which a loop is emitted once, under a mask, instead of unrolled with a tail: compiling the body again
/// costs more than masks do. From `huge_body` on, this holds for every loop.
inline constexpr double large_body = 40, largest_unrolled = 400, huge_body = 1000;
/// Instructions up to which a body that reads neighbours is emitted for the borders and again for the interior, where
/// neighbours are vectors like others and no condition has to be tested (the reverse sweep of a stencil of three points,
/// 8000 cells, f64, Sapphire Rapids: function and gradient together in 16.4 ms instead of 18.2).
inline constexpr double largest_with_borders = 200;
/// Iterations of a loop, and of the one that goes back through them, that are executed tile by tile at most: each is
/// described anew for every tile. A guess: not measured.
inline constexpr std::int64_t most_swept_iterations = 64;
/// Vectors side by side in a large body that is emitted once, where there are 32 registers, which are those of 512 bits; two
/// elsewhere (Sapphire Rapids, f64, four instead of two: normal numbers 0.87 of the time, Black-Scholes 0.88, a polynomial
/// of degree 60 0.78, lgamma, tanh and quotients 0.98 to 1.02; f32 is alike).
inline constexpr int columns_of_large = 4, many_registers = 512;
/// The time of a vector of such a body that goes alone, where rows are too short for several.
inline constexpr double vector_alone = 1.2;
/// Instructions below which it does not pay to let lanes take turns, which takes a detour through memory (histograms).
inline constexpr double light_body = 8;
/// Instructions up to which the loop's own instructions matter beside those of a scalar body; and the number of indices per
/// iteration then.
inline constexpr double small_body = 16;
inline constexpr int indices_together = 4;

/// Indices of outer axes that are kept inside of arrays after they have been, from which on rows that reach no border are
/// executed by code of their own; and the instructions of a kernel up to which there is such code. (Horizontal diffusion as
/// stencils of stencils, 128 x 128 x 80, f64, two threads: 1.3 ms instead of 1.8. The limits are guesses.)
inline constexpr std::size_t least_chained_borders = 4, most_instructions_of_inner_rows = 1000;

/// Indices at an end of an axis up to which they are its border, so that loops run fast in the interior and slowly here. A
/// guess: a stencil reaches no further.
inline constexpr std::int64_t widest_border = 8;
/// Places near the ends with which an index is compared for equality, up to which they are a border: what chooses among more
/// puts values side by side in short rows (rows of 15 derivatives, f64: about 4.5 ms with a border of ten, 1.4 ms without).
inline constexpr std::size_t most_places = 4;

// Whole launches.

/// Instructions for entering the loops of a row; for the control of a loop.
inline constexpr double entering = 10, loop_control = 4;
/// What is left over at the end of a loop inside of a point, and goes under a mask: the mask, code that is run seldom and is
/// mispredicted, and lanes of accumulators that must not change. Not measured alone.
inline constexpr double masked_loop_end = 25;
/// What is left over at the end of a row of points, which have no accumulators. Only flat forms are compared with it (rows
/// of 3 to 128 elements, maps and stencils).
inline constexpr double masked_row_end = 20;
/// The time until the result of a loop over one point is there; and the same for the next loop where points follow each
/// other, of which few are in flight at a time (batched sums and dot products, rows of 8 to 4096).
inline constexpr double waiting = 16, waiting_behind = 32;
/// Combining the lanes of a reduce, per step of the tree: if the point is alone, and if it is next to others.
inline constexpr double combining_alone = 4, combining_many = 2;
/// Applications of a scan's operator to a vector, besides one for each step of the tree: what comes before the vector is
/// combined with it (tridiagonal 100 x 10,000, f64, two threads: counting the operator takes it from 6.1 to 3.8 ms).
inline constexpr double scan_appends = 1;
/// Points below which there is nothing else to do while results are awaited.
inline constexpr int few_points = 4;
/// The assumed number of elements of a loop whose extents the kernel computes: a guess.
inline constexpr double unknown_elements = 64;
/// The time of an instruction in a kernel that reads far more than it stores, relative to usual ones (sums of rows, 2^20 and
/// 2^24).
inline constexpr double reading_instruction = 0.6;
/// Rows shorter than this may gain from being merged with the axis before into one.
inline constexpr std::int64_t long_row = 128;
/// The same for points with folds inside. (Jacobians of bundle adjustment, rows of 2 points with folds of 2 elements and 150
/// other instructions.)
inline constexpr std::int64_t long_row_of_folds = 8;

/// The extents that become constants of a kernel, which is compiled for them, where a launch has so much work: short axes of
/// pixels, points in space and small matrices, which a program seldom changes.
inline constexpr std::int64_t most_fixed_extent = 4;
inline constexpr double least_fixed_work = 1 << 17;

// Row blocks.

/// In vectors that are transposed: what it costs to compute along lines what steps need, and a vector that is gathered
/// because its index is clamped.
inline constexpr double along_line = 2, gathered_line = 3;
/// Steps of each line at a time (prices of options by sweeps along both axes, f32, Sapphire Rapids, the fastest of 5 calls,
/// five turns: 64 219 to 236 ms, 128 219 to 222, 256 222 to 232).
inline constexpr int steps_along_lines = 128;
/// Bytes of what a step may need of them: all lines keep as many for a piece of their steps, on the stack and in a near
/// cache.
inline constexpr std::int64_t most_along_bytes = 32;
/// Half of a first-level cache, in which everything that a block of rows keeps has to stay.
inline constexpr std::int64_t nearest_cache_bytes = 16 << 10;
inline constexpr double row_block_control = 8;

// Register tiles.

/// A division or root within a tile, where latencies overlap (softmin of pairs, 512 x 512).
inline constexpr double division_in_tile = 8;
/// Instructions of entering a tile; of keeping, for each column, what rows share; of each access to what is kept: a load and
/// a store; of a value of a row that is kept, what its load counts for. Not measured alone.
inline constexpr double entering_tile = 8, keeping = 4, kept_access = 2, kept_row_load = 0.5;
/// Arithmetic instructions of an element beyond which its loads do not matter.
inline constexpr double expensive_element = 16;
/// Arithmetic instructions of what columns share, up to which they may be executed one by one instead of being kept.
inline constexpr double most_scalars = 6;
inline constexpr int most_tile_rows = 8, most_tile_columns = 4, spare_registers = 2;
/// The same of a second shape, for columns that fill few vectors, or few of the last tile (products of 300 x 100 with 100 x
/// n, f64, Sapphire Rapids, one thread, without it and with it: n = 10: 69 and 23 us, 16: 56 and 23, 42: 93 and 69, 100: 184
/// and 155, 170: 272 and 244, 202: 317 and 290). And of a third one (the same with two shapes and three: n = 5: 50 and 12,
/// 8: 28 and 12, 24: 45 and 34, 40: 66 and 56, 72: 110 and 101, 100: 154 and 146; f32, n = 5: 30 and 12, 16: 28 and 12, 40:
/// 45 and 34).
inline constexpr int narrow_tile_rows = 6, narrow_tile_columns = 2;
inline constexpr int single_tile_rows = 12, single_tile_columns = 1;
/// Rows of a tile, below which nothing is shared.
inline constexpr int least_tile_rows = 2;
/// Parts of the reduced axis are multiples of this: a cache line of f64.
inline constexpr std::int64_t part_unit = 8;
/// The part of the second-level cache for a tile's memory; and the least number of indices in a part of the reduced axis:
/// with fewer, keeping accumulators costs more than it gains.
inline constexpr std::int64_t second_cache_share_bytes = 256 << 10, least_part = 16;
/// Bytes of a part of the reduced axis where the elements of a batch lie between each other: with more, its pages are more
/// than a processor knows the addresses of at once (10,000 x 25 outer products of 10 and 10 f64, of 4000 bytes an index,
/// Sapphire Rapids, one thread, parts of 8, 16, 32, 64, 72, 128 indices: 5.2, 5.1, 4.5, 4.5, 14, 15 ms).
inline constexpr std::int64_t batch_part_bytes = 128 << 10;
/// What such a batch costs where points go through all indices on their own: each of its arrays, for each index (18 ms, of
/// which 8 are accounted for otherwise).
inline constexpr double far_line = 8;
/// The rows and columns of a task, and the number of tasks per thread, for balance (matrix products, 256 to 2048).
inline constexpr std::int64_t task_rows = 256, least_task_rows = 48, task_columns = 256, tasks_per_thread = 4;

// Lines that sequential loops of lanes need (ways/fetched_ahead.hpp).

/// Steps ahead of which lines are fetched; and the most instructions of a step with which twice as many vectors go side by
/// side (columns of a 2000 x 2000 matrix times a vector, f64 in the third cache of a Zen 3, two threads: 16 columns at a
/// time take 2.8 ms, 1.8 with lines fetched 16 steps ahead; 32 columns 1.4 and 1.0).
inline constexpr std::int64_t steps_ahead = 16;
inline constexpr double body_of_eight = 8;
/// The most instructions of a step that is emitted twice, so that its checks of indices are made before the loop.
inline constexpr std::size_t most_in_unchecked_step = 100;
/// The most counters of a loop at whose ends it is found out which lanes reach no border: each doubles these computations.
inline constexpr std::size_t most_counters = 3;

// Rows together.

/// How many rows; the longest ones, in vectors; and the most instructions of a kernel, which is emitted for all of these
/// rows. (A layer of convolutions as
/// 75 shifted images times weights, rows of 16 channels, f32, Sapphire Rapids: row by row 0.18 of a loop in C++, two rows
/// 0.04, four 0.02.)
inline constexpr int rows_together = 4;
inline constexpr std::int64_t longest_row_together = 4;
inline constexpr std::size_t most_instructions_together = 2000;

// Squares.

inline constexpr std::size_t most_square_instructions = 32;
/// Rows whose lengths are multiples of this many bytes compete for the sets of a cache: a column of 64 rows does not stay
/// (transposed matrices of floats, past the caches, two threads of a Zen 3, row by row and in blocks of squares: 4096 x 4096
/// 29.8 and 7.8 ms, 3584 x 3584 15.8 and 6.3, 3328 x 3328 5.8 and 5.9, 4160 x 4160 6.0 and 10.9).
inline constexpr std::int64_t competing_row_bytes = 2048;
inline constexpr int most_square_rows = 16, least_square_rows = 4, line_bytes = 64;

// Tasks.

/// Elements of a chunk of a scan, about 256 KiB of each f32 input; of a chunk of a reduce over columns; and the least number
/// for a reduce, and for one whose elements are loops themselves (potential of 600 bodies, a loop of up to 599 steps for
/// each, two threads: chunks of 32 take half of the time that one of 600 takes).
inline constexpr std::int64_t chunk_elements = 1 << 16, column_elements = 1 << 15, least_chunk = 1 << 12,
                              least_long_chunk = 1 << 4;
/// The work of a chunk, some microseconds, and the least work of one if there are few chunks.
inline constexpr double chunk_work = 32000, least_chunk_work = 5000;
inline constexpr std::int64_t few_chunks = 16, most_chunks = 4096;
/// A matrix up to this size is streamed from the near caches as a whole.
inline constexpr std::int64_t near_matrix_bytes = 1 << 20;
/// The least number of columns that a task should have.
inline constexpr std::int64_t strip = 64;
/// Steps of a chunk of columns, so that combining chunks is small beside them. A guess.
inline constexpr std::int64_t chunk_steps = 4;
/// Rows added to column accumulators at once: as many streams as a prefetcher follows. Rows that are `wide_row` or more
/// elements apart displace each other from a cache set, so fewer of them are added at once.
inline constexpr std::int64_t step_indices = 16, wide_row = 4096, few_step_indices = 4;
/// The least number of indices of a chunk whose elements all points share: with fewer, partial results cost too much.
inline constexpr std::int64_t least_shared_chunk = 64;
/// The number of tasks beyond which no number of threads needs more for balance; and where the work of tasks differs.
inline constexpr std::int64_t enough_tasks = 64, enough_uneven_tasks = 4 * enough_tasks;
/// Tasks per thread from which on it does not matter that the last ones are not as many as there are threads.
inline constexpr std::int64_t balanced_tasks = 4;
/// Threads from which on a scan whose chunks are handed on from thread to thread gains: each element is computed twice then,
/// so that two threads do together what one does in one pass. By reasoning.
inline constexpr int least_chain_threads = 3;
/// The least work of a task; its work if there is as much for every thread; its work if all tasks take the same time, of
/// which there is one per thread where it is less (saxpy and a chain of 8 maps, f32 2^15, two threads: two tasks per thread
/// take 3.65 and 6.4 us, one 3.4 and 6.0).
inline constexpr double least_task_work = 2000, task_work = 8000, even_task_work = 40000;
/// Tasks along a row are multiples of this many elements.
inline constexpr std::int64_t task_unit = 1024;
/// The time until a line that another thread has written is there, where several are on their way; for launches between
/// others that threads share (LU of 400 x 400 by rows, f64, two threads with third caches of their own: 6.2 to 4.7 ms).
inline constexpr double foreign_line = 80;
/// Points from which on a matrix product without register tiles is executed in blocks; the rows, columns and reduced indices
/// of a block.
inline constexpr std::int64_t product_points = 4096, product_rows = 32, product_columns = 256, product_indices = 64,
                              least_product_rows = 8;
/// Blocks of maps that read against the grain: rows and columns; rows where squares store whole lines.
inline constexpr std::int64_t transpose_rows = 64, transpose_square_rows = 256, transpose_columns = 64,
                              least_transpose_rows = 8, least_transpose_columns = 16;
/// Bytes of outputs from which on stores bypass the caches; and the number of arrays that may be written in this way at
/// once: a processor combines the stores to few lines at a time, and to fewer if there are loops inside.
inline constexpr std::int64_t large_output_bytes = 24 << 20;
inline constexpr std::ptrdiff_t most_streams = 8, most_looped_streams = 6;

// Several time steps at once, tile by tile (steps/time_steps.hpp).

/// Bytes of a tile's own arrays: a share of the third cache for each thread. A second cache of 512 KiB has no room for rows
/// and what they overlap by (five points, f32, 4096 x 4096, 10 steps, Zen 3: tiles of 0.2, 0.4, 0.7, 1.5, 3, 6, 10 MB take
/// 58, 50, 42, 38, 34, 34, 34 ms; 1024 x 1024: all alike).
inline constexpr std::int64_t tile_bytes = 3 << 20;
/// Bytes of a loop's states from which on a step takes so long that tiles are considered; and bytes that all of its steps
/// together go over, from which on they are considered for fewer. Guesses.
inline constexpr std::int64_t least_stepped_bytes = 2 << 20, least_stepped_traffic = 32 << 20;
/// Steps at once: at most, a guess, and where tiles are wanted whatever they cost.
inline constexpr std::int64_t most_steps_together = 16, wanted_steps = 3;
/// The price of a byte that goes from or to memory, in vector instructions: a guess, 10 GB/s per thread. And of one where
/// all states fit the caches that processors share: nearly none (FDTD, 600 x 700, f64, 30 steps in place, two threads of a
/// Zen 3: step by step 7.8 ms, 50 MB a step; in tiles, 3 MB a step, 14 ms).
inline constexpr double memory_byte = 0.4, shared_cache_byte = 0.01;
inline constexpr std::int64_t shared_cache_bytes = 24 << 20;
/// The same where tiles fit nearer caches, on a Sapphire Rapids, one thread. Of a byte that goes from or to a second cache,
/// where tiles are in the nearest one (three points of 32,000 f64, 1000 steps: 8.0 ms step by step; in tiles of 1000, 1500,
/// 2000 and 4000 points, 50 steps at once: 7.2, 6.4, 7.8 and 8.6; plain C++ in tiles 4.7). Of one that goes from or to a
/// third cache, where tiles are in a large second one, and of one within such a tile; how many bytes move for one that is
/// written and was not read (FDTD, 600 x 700, f64, 30 steps: as stencils 52 ms step by step, 26 in tiles of 40 rows and 8
/// steps; as updates in place 33 and 34; five points, 800 x 800, 30 steps there and back: 32 and 26).
inline constexpr std::int64_t large_second_cache = 1 << 20, most_near_steps = 32;
inline constexpr double second_cache_byte = 0.05, far_cache_byte = 0.06, byte_in_tile = 0.03, far_cache_written = 4;
/// The price of launching a part of such a tile, and the share of the price of single steps below which tiles are taken
/// (three points of 32,000 f64, 500 steps there and back, Sapphire Rapids, one thread: 21,000 parts of 1500 points in 5.45
/// ms, of which the kernels' own time is 4.5; prices of 300 to 1000 choose the same tiles).
inline constexpr double near_part_launch = 500, worthwhile_near_tiles = 0.9;
/// The price of launching a part: a guess. The share of the price of single steps below which tiles are taken (heat_3d of
/// bench/npbench, two threads of a Zen 3: at a share of 0.84, single steps take 0.65 of the time of tiles; five points, 4096
/// x 4096, at 0.3: 1.6 times).
inline constexpr double part_launch = 400, worthwhile_tiles = 0.7;
/// The part of a second cache for what the launches of a cascade leave to each other in a tile, beside what streams through
/// (least of 32 distances, 100,000 points of 16 f64, Sapphire Rapids, two threads, tiles of 64, 128, 512, 1562, 3200, 6400
/// rows of 256 bytes: 2.5, 2.3, 2.2, 2.3, 2.3, 2.5 ms; one after the other 2.55).
/// The share of the price of single launches below which they are taken (attention of 4096 rows, f32: at 0.83, 0.81 of the
/// time; the distances: at 0.65, 0.9).
inline constexpr std::int64_t cascade_share = 2;
inline constexpr double worthwhile_cascade = 0.95;
/// Columns of a part at a time: a few rows of so many fit the nearest cache.
inline constexpr std::int64_t part_columns = 1024;

// Updates of elements by several threads. Filling and merging a copy costs about one update per element. Partitioning costs
// about 6 ns per update whatever the size of the array; updates in order cost 1.5 ns up to 4 MiB, 10 ns at 16 MiB and more
// beyond (Zen 3, f32 sums).

inline constexpr std::int64_t largest_copy_bytes = 4 << 20, copies_bytes = 64 << 20, most_copies = 64;
inline constexpr std::int64_t points_per_copy = 1 << 15, points_per_element = 8;
/// Accumulators of outer folds: how many runs of points have their own, the work and the points of such a run at least, so
/// that filling and combining them costs a tenth of a run. Guesses.
inline constexpr std::int64_t most_accumulators = 64, points_per_accumulator = 64;
inline constexpr double accumulating_work = 16000;
/// Sizes of arrays from which on updates are partitioned, on few threads and on many.
inline constexpr std::int64_t partitioned_bytes = 8 << 20, partitioned_bytes_many = 1 << 20;
inline constexpr int many_threads = 6;
inline constexpr std::int64_t points_per_run = 1 << 18, least_partitioned_points = 1 << 17, run_unit = 64;

// Launches on the host. Numbers without a measurement are guesses.

/// Bytes of a cache line on usual processors.
inline constexpr std::size_t cache_line = 64;
/// Vector instructions, the unit of prices, that a processor executes in a nanosecond: used to compare work with the time it
/// takes to wake threads.
inline constexpr double instructions_per_ns = 4;
/// Bytes of a task's memory up to which a thread keeps it for the next task: what fits in the caches of one processor. A
/// guess.
inline constexpr std::size_t most_kept_bytes = std::size_t{1} << 18;
/// Updates by partitions, all guesses: the number of tasks whose notes are kept at once; the bytes of a range of
/// destinations, beside which its notes fit in a second-level cache; the number of ranges, as many streams as a task can
/// write at once; and the lines of notes that are prefetched, because runs are too short for the processor to notice that
/// they are read in order.
inline constexpr std::int64_t wave_tasks = 16;
inline constexpr std::size_t bucket_bytes = 64u << 10, most_buckets = 512, prefetched_lines = 32;
/// Elements that a thread merges of all copies of an array at a time: what stays in the nearest cache. A guess.
inline constexpr std::int64_t merged_elements = 4096;
/// Looks at what the chunk before hands on before others may have the processor in between. A guess.
inline constexpr int looks_awake = 64;
/// The assumed extents of arrays if a kernel is shown without being called.
inline constexpr std::int64_t typical_extent = 1024;

// Code generation. All of these are guesses unless a source is named.

/// Instructions of both branches up to which lanes execute both branches and select; what a division, remainder or root
/// counts for; one of f64, which takes twice as long.
inline constexpr int speculated_instructions = 10, speculated_division = 4, speculated_wide_division = 7;
/// Instructions of a side of a branch from which on it is a function that equal sides share: the rare path of a sine of
/// doubles has more, that of floats somewhat fewer. With 40, 150 sines of floats compile in 0.42 of the time, but `lgamma`,
/// whose sides are not rare, may take 1.3 times as long. And the numbers that a side may need from outside.
inline constexpr std::size_t least_shared_side = 80, most_side_parameters = 8;
/// The number of lanes whose updates, which are executed one after another, share an iteration.
inline constexpr std::int64_t lanes_in_turn = 4;

/// Comparisons of an index with constants from which on the first vectors of a row are emitted for their indices alone, so
/// that each chooses only among what it has; and how many vectors these are at most, for each of them is a body more. A
/// Jacobian that puts 15 columns side by side takes 0.86 of the time.
inline constexpr std::size_t least_picks = 4, most_first_vectors = 4;
/// The largest number of places at which a loop over pieces may pass from one piece to the next: each piece has a loop of
/// its own.
inline constexpr std::size_t most_turns = 32;
/// Instructions of a function beyond which it is cut into short blocks (the largest kernel of the examples and benchmarks
/// has 4,600); instructions of such a block; blocks through which a value may stay in a register; and instructions up to
/// which a value is computed again instead of being kept.
inline constexpr std::size_t large_function = 7'000, longest_block = 200;
inline constexpr unsigned register_reach = 4;
inline constexpr int most_repeated = 10;
/// Bytes that LLVM may need for a kernel, in any case and per instruction, generously estimated; and in all for a kernel of
/// a card.
inline constexpr std::size_t compile_bytes = std::size_t{48} << 20, compile_bytes_each = std::size_t{8} << 10;
inline constexpr std::size_t compile_bytes_card = std::size_t{64} << 20;
/// When better code is made than the quick code of a first call: once launches have taken as long as it takes to make quick
/// code, about, where each counts as so much at least; or at once, where a single launch takes so long that it gains more by
/// better code than that costs. One thread's time. (NPBench, 87 forms, Sapphire Rapids: the first call of a form takes 31.4
/// ms in the mean with all code generated with full effort, 17.8 ms with all of it quick, which then takes 1.5 times as
/// long, 5.7 times at most.)
inline constexpr double better_code_from_ns = 1e6, least_counted_ns = 2e4, full_code_from_ns = 2e7;
/// The launches that a kernel in a loop is assumed to have, for the latter: the first call of a loop of 100 steps of heat in
/// a cube takes 22 ms with better code at once, and 56 where it comes in the middle.
inline constexpr double launches_of_a_loop = 100;
/// How far the thread that makes better code gives way (the first call of the same loop: 70 ms without, 48 with, where other
/// kernels' code is being improved meanwhile).
inline constexpr int niceness_of_better_code = 5;
/// Bytes of stack for the code of a large function: less than half of the 8 MiB that threads usually have.
inline constexpr std::size_t most_stack = 7u << 19;

}  // namespace sinter::schedule::tuning
