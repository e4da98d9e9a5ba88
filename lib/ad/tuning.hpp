// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers by which differentiation decides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::ad {

/// A segment of a loop may be longer than half the root of the iterations only if its states have at most this many bytes:
/// about a second-level cache, where what was written is still present when it is read. A guess: not measured.
constexpr std::int64_t cached_bytes = 1 << 20;

/// The bytes of states of the last iterations of a loop that are all kept, where options and SINTER_TAPE say nothing: these
/// iterations are executed once less. In nearby caches, they are cheap. Measured on one thread with 2 MiB of second-level
/// cache, gradient in times of the value: 3.9 instead of 4.7 for a recurrent network of 2 layers on 1024 inputs, whose
/// states have 0.5 MB together; 3.8 instead of 4.6 for 4 layers on 4096 inputs and 3.7 MB, and 4.5 with 1 MiB; 2.6 instead
/// of 3.6 for a Runge-Kutta method of 100 steps with 0.8 MB; heat in 1000 steps of 0.8 MB each takes as long as before.
constexpr std::int64_t kept_bytes = 4 << 20;

/// The largest number of points beyond a clamped border whose adjoints are added to the border one by one, with one select
/// each; more are scattered. A guess: not measured.
constexpr std::int64_t longest_border = 4;

/// A loop in a function computes its Jacobian in registers if at most so many numbers go into it of which derivatives are
/// wanted; otherwise it becomes a loop over arrays. Measured on 16384 paths of 128 steps with a sine and an exponential
/// each, in double precision on one thread with AVX-512, value and gradient in times of the value: 2.5 instead of 3.7 for 17
/// inputs, 2.6 instead of 3.7 for 24 and 2.6 instead of 3.9 for 32. More were not measured.
constexpr std::size_t most_loop_inputs = 32;

/// A counted loop that becomes one over arrays is executed in blocks of up to 2 to this power iterations, written out, whose
/// instructions are no more than block_instructions together. Measured on least-squares fits of polynomials, on one thread
/// of a loaded machine, least of 25, gradient in times of the value: of 128 coefficients at 8192 points 3.6 with blocks of
/// 16 and 5.8 without, of 1024 coefficients there 5.4 and 7.7; at 1024 points, where steps are short, 5.3 and 4.5.
/// block_instructions is a guess: not measured.
constexpr std::size_t longest_block = 4;
constexpr std::size_t block_instructions = 256;

/// Contributions to elements with known indices that one map puts in their places, with a select each for every element of
/// the array. A guess: not measured beyond 15 (bundle adjustment).
constexpr std::size_t most_placed = 32;

}  // namespace sinter::ad
