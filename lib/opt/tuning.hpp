// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thresholds of optimisations, in instructions. Those without a measurement keep passes linear, or tell what is
/// certainly cheap from all else. What fusion decides has its numbers in fuse/tuning.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::opt::tuning {

/// A merged function of more instructions takes no more in, which keeps chains linear. Fusion does the rest.
inline constexpr std::size_t longest_merge = 64;
/// A function of no array with so few is computed again in a body, rather than stored before it.
inline constexpr std::size_t costs_less_again = 8;

/// Instructions on integers, in each branch of a cond, up to which both are executed. (A cyclic redundancy check bit by bit,
/// 200 kB, one thread: 8.9 ms with branches, 2.0 with two instructions in vain.)
inline constexpr std::size_t most_instructions_in_vain = 4;
/// Rows that share what is computed once for all of them, at least, as far as their number is known.
inline constexpr std::int64_t least_rows_of_axis_work = 4;

}  // namespace sinter::opt::tuning
