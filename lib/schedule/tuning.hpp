// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which schedules are chosen. Prices are in vector instructions of 256 bits out of the nearest
/// cache, about a quarter of a nanosecond; lengths in elements unless a name says bytes. What each was measured with stands
/// beside it: names of programs are those of bench/ (`sinter_bench`, `sinter_algorithms`) or of examples/programs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::schedule::tuning {

// What a lane executes.

/// Iterations that a loop inside of a lane is taken to have.
inline constexpr double inner_iterations = 16;
/// A division, root or remainder, in plain instructions (throughput of vdivps, vsqrtps: Zen 3, Skylake).
inline constexpr double long_operation = 12;
/// A vector instruction of 512 bits, in those of 256: fewer ports take them, and what is not in the nearest cache comes no
/// faster (triad, f32 2^14 and 2^20, Zen 4).
inline constexpr double wide_instruction = 1.5;

// Lanes of a loop.

/// Part of a loop's instructions that decides its width: a wider type that is rarer costs a second register now and then, a
/// narrower one leaves registers half empty (mixed f32/f64 maps).
inline constexpr double deciding_share = 0.3;
inline constexpr int most_lanes = 64;
/// Instructions of a body up to which four vectors, or two, go side by side: enough to hide latencies, few enough for the
/// registers (polynomials of degree 1 to 40).
inline constexpr double body_of_four = 8, body_of_two = 24;
/// Accumulators of a loop that leave no registers for vectors side by side.
inline constexpr std::size_t many_accumulators = 4;
/// Bodies beyond which a loop is emitted once, under a mask, instead of unrolled with a tail: compiling it again costs more
/// than masks do. From `huge` on whatever it does.
inline constexpr double large_body = 40, largest_unrolled = 400, huge_body = 1000;
/// Bodies below which lanes that take turns are not worth the way through memory (histograms).
inline constexpr double light_body = 8;
/// Scalar bodies so small that a loop's own instructions matter, and how many indices an iteration then has.
inline constexpr double small_body = 16;
inline constexpr int indices_together = 4;
/// Bodies of a compaction that gathers up to which four vectors go side by side, so that more misses are under way
/// (filtered gathers, 2^24).
inline constexpr double small_compaction = 96;
inline constexpr int compaction_columns = 4;

// Whole launches.

/// Instructions of entering a row's loops; of a vector that is not full, by its mask; of a loop's own control.
inline constexpr double entering = 10, masking = 25, loop_control = 4;
/// The same mask where rows of points are compared with their flat form (rows of 3 to 128 elements, maps and stencils).
inline constexpr double masking_rows = 20;
/// Of a loop over one point: until its result is there; of the next one where points follow each other, few of which are
/// under way at a time (batched sums and dot products, rows of 8 to 4096).
inline constexpr double waiting = 16, waiting_behind = 32;
/// Combining the lanes of a reduce, per step of the tree: of a point alone, and next to others.
inline constexpr double combining_alone = 4, combining_many = 2;
/// Points, up to which nothing else is to be done while results are awaited.
inline constexpr int few_points = 4;
/// Elements of a loop whose extents the kernel computes: a guess.
inline constexpr double unknown_elements = 64;
/// Time of an instruction of a kernel that reads far more than it stores, in usual ones (sums of rows, 2^20 and 2^24).
inline constexpr double reading_instruction = 0.6;
/// Rows shorter than this may gain by being counted as one with the axis before.
inline constexpr std::int64_t long_row = 128;

// Row blocks.

/// Half of a nearest cache: what a block of rows keeps has to stay there.
inline constexpr std::int64_t nearest_cache_bytes = 16 << 10;
inline constexpr double row_block_control = 8;

// Register tiles.

/// A division or root within a tile: latencies overlap there (softmin of pairs, 512 x 512).
inline constexpr double long_operation_in_tile = 8;
/// Arithmetic of an element beside which its loads do not matter.
inline constexpr double expensive_element = 16;
/// Arithmetic of what columns share that may be done one by one, not kept.
inline constexpr double most_scalars = 4;
inline constexpr int most_tile_rows = 8, most_tile_columns = 4, spare_registers = 2;
/// What a tile's memory leaves of the second cache; indices of a part of the reduced axis, else keeping accumulators costs
/// more than it brings.
inline constexpr std::int64_t second_cache_share_bytes = 256 << 10, least_part = 16;
/// Of a task: its rows and columns, and tasks for each thread, for balance (matrix products, 256 to 2048).
inline constexpr std::int64_t task_rows = 256, least_task_rows = 48, task_columns = 256, tasks_per_thread = 4;

// Squares.

inline constexpr std::size_t most_square_instructions = 32;
inline constexpr int most_square_rows = 16, least_square_rows = 4, line_bytes = 64;

// Tasks.

/// Elements of a chunk: of a scan, about 256 KiB of each f32 input; of a reduce over columns; at least, of a reduce.
inline constexpr std::int64_t chunk_elements = 1 << 16, column_elements = 1 << 15, least_chunk = 1 << 12;
/// Work of a chunk, some microseconds, and of one where there are few.
inline constexpr double chunk_work = 32000, least_chunk_work = 5000;
inline constexpr std::int64_t few_chunks = 16, most_chunks = 4096;
/// A matrix that is streamed from near caches as a whole.
inline constexpr std::int64_t near_matrix_bytes = 1 << 20;
/// Columns a task should have at least.
inline constexpr std::int64_t strip = 64;
/// Rows added to column accumulators at once: as many streams as a prefetcher follows; where rows are `wide_row` apart they
/// push each other out of one cache set.
inline constexpr std::int64_t step_indices = 16, wide_row = 4096, few_step_indices = 4;
/// Indices of a chunk whose elements all points share, else partial results cost too much.
inline constexpr std::int64_t least_shared_chunk = 64;
/// More tasks than any number of threads needs for balance.
inline constexpr std::int64_t enough_tasks = 64;
/// Work of a task: at least; if there is as much for every thread; if all tasks take the same time.
inline constexpr double least_task_work = 2000, task_work = 8000, even_task_work = 40000;
/// Elements that tasks along a row are multiples of.
inline constexpr std::int64_t task_unit = 1024;
/// Points from which on a matrix product without register tiles goes in blocks; their rows, columns and reduced indices.
inline constexpr std::int64_t product_points = 4096, product_rows = 32, product_columns = 256, product_indices = 64,
                              least_product_rows = 8;
/// Blocks of maps that read against the grain: rows and columns; rows where squares store whole lines.
inline constexpr std::int64_t transpose_rows = 64, transpose_square_rows = 256, transpose_columns = 64,
                              least_transpose_rows = 8, least_transpose_columns = 16;
/// Bytes of outputs from which on stores bypass the caches, and arrays that may be written so at once: a processor gathers
/// few lines at a time, fewer where loops are inside.
inline constexpr std::int64_t large_output_bytes = 24 << 20;
inline constexpr std::ptrdiff_t most_streams = 8, most_looped_streams = 6;

// Updates of elements by several threads. Filling and merging a copy costs about an update an element. Partitioning costs
// about 6 ns an update whatever the array's size; updates in order 1.5 ns up to 4 MiB, 10 ns at 16 MiB and more beyond (Zen
// 3, f32 sums).

inline constexpr std::int64_t largest_copy_bytes = 4 << 20, copies_bytes = 64 << 20, most_copies = 64;
inline constexpr std::int64_t points_per_copy = 1 << 15, points_per_element = 8;
/// Arrays from which on updates are partitioned: on few threads, and on many.
inline constexpr std::int64_t partitioned_bytes = 8 << 20, partitioned_bytes_many = 1 << 20;
inline constexpr int many_threads = 6;
inline constexpr std::int64_t points_per_run = 1 << 18, least_partitioned_points = 1 << 17, run_unit = 64;

// Launches on the host. Numbers without a measurement are guesses.

/// Bytes of a cache line of the usual processors.
inline constexpr std::size_t cache_line = 64;
/// Vector instructions that a processor executes in a nanosecond, the unit of prices: to compare work with the time that
/// waking threads takes.
inline constexpr double instructions_per_ns = 4;
/// Bytes of a task's memory that a thread keeps for the next one: what fits the caches of one processor. A guess.
inline constexpr std::size_t most_kept_bytes = std::size_t{1} << 18;
/// Updates by partitions, all guesses: tasks whose notes are kept at once; bytes of a range of destinations, beside which
/// notes have room in a second cache; ranges, as many streams as a task can write at once; lines of notes that are fetched
/// before they are read, as runs are too short for the processor to notice that they are read in order.
inline constexpr std::int64_t wave_tasks = 16;
inline constexpr std::size_t bucket_bytes = 64u << 10, most_buckets = 512, prefetched_lines = 32;
/// Extents of arrays where a kernel is shown, not called.
inline constexpr std::int64_t typical_extent = 1024;

// Code. All of these are guesses, unless it is said what they come from.

/// Instructions of both branches up to which lanes execute both and select.
inline constexpr int speculated_instructions = 10;
/// Lanes whose updates, one after another, share an iteration.
inline constexpr std::int64_t lanes_in_turn = 4;
/// Points at which a loop over pieces may turn from one to the next: each has a loop of its own.
inline constexpr std::size_t most_turns = 12;
/// Instructions of a function beyond which it is cut into short blocks: the largest kernel of the examples and benchmarks
/// has 4,600. Instructions of such a block, blocks through which a value stays in a register, instructions that compute a
/// value again rather than keep it.
inline constexpr std::size_t large_function = 7'000, longest_block = 200;
inline constexpr unsigned register_reach = 4;
inline constexpr int most_repeated = 10;
/// Bytes that LLVM may need for a kernel, in any case and per instruction, generously; for one of a card in all.
inline constexpr std::size_t compile_bytes = std::size_t{48} << 20, compile_bytes_each = std::size_t{8} << 10;
inline constexpr std::size_t compile_bytes_card = std::size_t{64} << 20;
/// Bytes of stack for the code of a large function: somewhat less than the threads of oneTBB have.
inline constexpr std::size_t most_stack = 7u << 19;

}  // namespace sinter::schedule::tuning
