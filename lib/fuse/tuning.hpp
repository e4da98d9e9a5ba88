// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which operations are fused. Prices are in bytes that memory moves, since that is what plans
/// are compared by. What a number was measured with stands beside it; one without was not measured.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sinter::fuse::tuning {

// What memory moves.

/// What it moves at a time.
inline constexpr std::int64_t line_bytes = 64;
/// Elements within which a step along a line still touches each of its lines, if they have 8 bytes.
inline constexpr std::int64_t in_a_line = 8;
/// What starting a kernel costs on a usual processor: what it could have moved meanwhile. `sinter calibrate` measures that
/// (kernel launch, memory copy), and what it finds takes its place (run/calibration.cpp); so does a card's own
/// (schedule/card/tuning.hpp).
inline constexpr double launch_bytes = 16384;
/// Elements up to which reads at different offsets follow each other so closely that what one has brought into the nearest
/// cache is there for the others.
inline constexpr std::int64_t near = 1024;
/// Rows of so many bytes stay in the caches between the passes of a sort.
inline constexpr double cached_row = 1 << 20;
/// Of a sort, as run/execute/radix_sort.hpp executes it: bits of a digit, and elements of a row that is sorted by comparing.
inline constexpr int sort_digit_bits = 11;
inline constexpr std::int64_t sort_short_row = 512;
/// What an extent is taken to be that nothing is known of.
inline constexpr std::int64_t nominal_extent = 10'000;

// What is computed again: see docs/fusion.md, "What is computed again", for the programs.

/// Instructions of a function up to which it may be computed by every reader instead of stored: of a generate, which loads
/// nothing; of a map; of one that is looked at in several places; of scalars.
inline constexpr int generate_limit = 4, repeat_limit = 8, looks_limit = 32, scalar_limit = 16;
/// A call of a mathematical function, in instructions.
inline constexpr int math_weight = 8;
/// Loads of a function beyond which copies for several looks are never cheap.
inline constexpr std::size_t most_loads = 4;
/// Candidates of a body that are tried in all combinations: 2^5 searches of a fraction of a millisecond.
inline constexpr std::size_t most_candidates = 5;
/// Copies, or merges of T2 reduction among them, beyond which a search would take longer than they could save: copies of
/// copies grow with the square of a chain's length.
inline constexpr std::size_t most_copies = 1000, most_examined = 200'000;
/// Of the search for clusters with many copies, which need not be better at all; and vertices beyond which it has not found
/// anything by then.
inline constexpr std::chrono::milliseconds deadline_of_many(2);
inline constexpr std::size_t most_searched = 250;

// How large a kernel may be.

/// Instructions of a cluster: those of its functions, and one for each operation. Generating code for a chain of maps of
/// four took 95 us a map in a kernel of 10,000 maps, and 130 in one of 100,000, which is larger than all caches; the process
/// took 1.4 GB then. In kernels of at most so many instructions it is 70 us, and 0.9 GB. To store an array between two such
/// kernels is little against the work for each of its elements.
inline constexpr std::size_t most_instructions = 30'000;
/// Arrays that may lead from one part of a split cluster to later ones: each is stored, and takes memory.
inline constexpr std::size_t most_crossing = 8;

// How long the search may take. It ends at a deadline whatever these are; they keep its quadratic steps small.

/// Vertices of a part, after contraction, that is searched at all: bit sets take quadratic space. Relations of operations
/// that cannot be evaluated together are not looked for in larger programs either.
inline constexpr std::size_t most_vertices = 2000;
/// Vertices beyond which even the linear steps take longer than the deadline.
inline constexpr std::size_t search_limit = 20'000;
/// Vertices up to which the greedy strategies, which take quadratic time, are tried before the search; and shown beside it.
inline constexpr std::size_t greedy_limit = 300, greedy_shown = 1000;
/// Operations looked at for such relations: about a millisecond.
inline constexpr std::size_t most_work = 20'000;
/// Orders that a read may have before it counts as one in any order.
inline constexpr std::size_t most_labels = 8;
/// Clusters that read an array and could not be merged with which a further one is compared.
inline constexpr std::size_t tries = 8;
/// Members of a term beyond which a vertex is not contracted for its sake: looking at all of them for each would take
/// quadratic time.
inline constexpr std::size_t most_members = 32;
/// Clusterings that are tried before the search; fewer, where so many one after the other are no better.
inline constexpr std::uint32_t first_attempts = 16, vain_attempts = 3;

}  // namespace sinter::fuse::tuning
