// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every price and threshold by which clusters are lowered, in floating-point instructions, of which several start in a
/// cycle. What a number was measured with stands beside it; one without was not measured.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::lower::tuning {

/// Instructions that need not be executed where a select does not choose them, from which on it becomes a branch. A branch
/// that is mostly predicted, with the masks of the vectors whose lanes differ, costs about ten; tanh of f64 is 60, exp 30, a
/// stencil of seven points 10: there a branch costs more than it saves (jacobi_2d of bench/npbench: 2.4 times the select).
inline constexpr std::size_t worth_a_branch = 20;
/// A division, remainder or root among these: what skipping it saves, the next ones waiting for it or not.
/// One of f64 takes twice as long (throughput of vdivpd and vsqrtpd, 256 bits: Zen 3 7 and 9 cycles, Skylake 8 and 12; two
/// other instructions start in each cycle).
inline constexpr std::size_t skipped_division = 8, skipped_wide_division = 16;

/// The part of its points for which a product in a branch is wanted, from which on it is computed for all of them (512 x 512
/// sums of 512, f64, two threads: for half of the points 15.3 ms in branches, 4.3 for all in register tiles).
inline constexpr double least_share_of_branch = 0.25;

/// Instructions of a function of an element beyond which computing it in a second pass over a row, too, costs more than a
/// store and a load in the nearest cache; and a division, remainder or root among these.
inline constexpr int repeated_in_row = 6, repeated_division = 4;

/// The least length, if it is a number, of the rows into which an axis is split along which lanes go; and the most elements
/// of a fold for whose lanes it does not matter.
inline constexpr std::int64_t least_split_row = 64, most_split_fold = 512;
/// How often axes are split again.
inline constexpr int most_splits = 6;
/// Facts that prove one side of an index that a condition keeps inside (that of a five-point stencil takes two of them), and
/// those that are tried. By counting.
inline constexpr int most_facts_of_a_proof = 6, most_steps_of_a_proof = 300;

}  // namespace sinter::lower::tuning
