// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which operations are fused. Prices are in bytes that memory moves, since plans are compared
/// by these. Each number is accompanied by what it was measured with; those without were not measured.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sinter::fuse::tuning {

// Memory.

/// The unit in which memory is moved.
inline constexpr std::int64_t line_bytes = 64;
/// Number of elements: steps of at most this many elements of 8 bytes touch every cache line along the way.
inline constexpr std::int64_t in_a_line = 8;
/// The cost of starting a kernel on a usual processor: the bytes that could have been moved in the same time. `sinter
/// calibrate` measures it (kernel launch, memory copy), and the result replaces this number (run/calibration.cpp), as does a
/// card's own (schedule/card/tuning.hpp).
inline constexpr double launch_bytes = 16384;
/// Offset in elements up to which reads follow each other so closely that what one has brought into the nearest cache is
/// still there for the others.
inline constexpr std::int64_t near = 1024;
/// Rows of up to this many bytes stay in the caches between the passes of a sort.
inline constexpr double cached_row = 1 << 20;
/// Sorting, as run/execute/radix_sort.hpp does it: the bits of a digit, and the number of elements up to which a row is
/// sorted by comparisons.
inline constexpr int sort_digit_bits = 11;
inline constexpr std::int64_t sort_short_row = 512;
/// The value that is assumed for an extent of which nothing is known.
inline constexpr std::int64_t nominal_extent = 10'000;

// One pass over an array along several axes (strategy/one_pass.hpp). All are guesses.

/// The bytes that the accumulators of outer folds may have, so that a row fits the second cache beside them; the number of
/// elements that share each at least, since private ones would cost more than a second pass; the elements of a row at least,
/// since several short rows go side by side where each has its own pass; the pairs of clusters that are tried.
inline constexpr double accumulator_bytes = 1 << 17, elements_per_accumulator = 64, least_row = 64;
inline constexpr std::size_t most_joined = 64;
/// The bytes that a scatter beside folds may update, and the points per byte at least: with more, its threads would have no
/// copies of their own (points_per_element of schedule/tuning.hpp, for elements of four bytes).
inline constexpr double updated_bytes = 1 << 22, points_per_updated_byte = 2;

// Recomputation: see docs/fusion.md, "What is computed again", for the programs.

/// Instructions of a function up to which every reader may compute it instead of its being stored: for a generate, which
/// loads nothing; for a map; for a map that is looked at in several places; for scalars. (A map of ten: what the reverse
/// sweep of a step of non-linear heat gives to the left. 100 000 cells, one thread, busy machine: 184 us in two kernels, 102
/// in one.)
inline constexpr int generate_limit = 4, repeat_limit = 12, looks_limit = 32, scalar_limit = 16;
/// The weight, in instructions, of a call of a mathematical function.
inline constexpr int math_weight = 8;
/// The same where results would have to go to memory and back: the bytes from which on they do, as many as a second cache
/// has; and the loads and instructions of all looks together. Guesses within which no program became slower: docs/fusion.md.
inline constexpr double far_bytes = 1 << 21, far_loads = 32, far_instructions = 64;
/// Arithmetic of an element, in bytes that are moved meanwhile for each byte of its results: of an instruction, and of a
/// call of a mathematical function. An `exp` of a float takes as long as 8 bytes. Lanes of doubles are half as many, and
/// move twice as much.
inline constexpr double price_of_instruction = 1.0 / 16, price_of_math = 2;
/// Choices of what is kept in memory that are compared after each layer, and operations of a layer that are chosen from. The
/// time for all layers: chains of 160 operations take 20 to 26 ms.
inline constexpr std::size_t most_states = 500, most_kept_at_once = 10;
inline constexpr std::chrono::milliseconds deadline_of_storage(50);
/// By how much of itself a cost may differ from a bound that was added up in another order.
inline constexpr double rounding = 1e-12;
/// Candidates of a body up to which all combinations are tried: 2^5 searches of a fraction of a millisecond.
inline constexpr std::size_t most_candidates = 5;
/// Number of copies, and of operations examined in merges of T2 reduction, beyond which a search would take longer than it
/// could save: the number of copies of copies grows with the square of a chain's length.
inline constexpr std::size_t most_copies = 1000, most_examined = 200'000;
/// The time of a search for clusters with many copies, which need not be better at all; and the number of vertices beyond
/// which such a search finds nothing in that time.
inline constexpr std::chrono::milliseconds deadline_of_many(2);
inline constexpr std::size_t most_searched = 250;

/// Steps of a loop from which on a product by index is kept out of passes over rows, where it would not go through tiles: a
/// guess. (softmax of a product, 32 x 500 x 500 floats, one thread: 570 us in the pass over rows, 300 in two kernels.)
inline constexpr std::int64_t least_product_steps = 16;

/// Maps, one of the other, that are followed from a fold to the broadcasts that they combine: as many as are seen.
inline constexpr int most_maps_of_product = 8;

// The size of a kernel.

/// Instructions of a cluster: those of its functions, plus one per operation. Generating code for a chain of maps of four
/// instructions took 95 us per map in a kernel of 10,000 maps and 130 us in one of 100,000, which is larger than all caches;
/// the process took 1.4 GB then. In kernels of at most this size it takes 70 us, and 0.9 GB. Storing an array between two
/// such kernels is little compared with the work per element.
inline constexpr std::size_t most_instructions = 30'000;
/// Arrays that may lead from one part of a split cluster to later ones: each of them is stored and takes memory.
inline constexpr std::size_t most_crossing = 8;

// The duration of the search. It ends at a deadline in any case; these numbers keep its quadratic steps small.

/// What a search does between two looks at its deadline, where looks are counted instead of time. A guess.
inline constexpr std::chrono::microseconds time_of_look(2);
/// Vertices, after contraction, up to which a part is searched at all: bit sets take quadratic space. In larger programs,
/// relations between operations that cannot be evaluated together are not looked for either.
inline constexpr std::size_t most_vertices = 2000;
/// Vertices beyond which even the linear steps take longer than the deadline.
inline constexpr std::size_t search_limit = 20'000;
/// Vertices up to which the greedy strategies, which take quadratic time, are tried before the search; and up to which they
/// are shown beside it.
inline constexpr std::size_t greedy_limit = 300, greedy_shown = 1000;
/// Operations examined to find such relations: about a millisecond.
inline constexpr std::size_t most_work = 20'000;
/// Orders up to which a set of orders is kept; a larger one counts as the set of all orders.
inline constexpr std::size_t most_labels = 8;
/// An array may be read by several clusters that could not be merged: a further reader is compared with at most this many of
/// them.
inline constexpr std::size_t tries = 8;
/// Members of a term beyond which a vertex is not contracted on account of it: looking at all members for each vertex would
/// take quadratic time.
inline constexpr std::size_t most_members = 32;
/// Clusterings that are tried before the search; fewer if `vain_attempts` in succession bring no improvement.
inline constexpr std::uint32_t first_attempts = 16, vain_attempts = 3;

}  // namespace sinter::fuse::tuning
