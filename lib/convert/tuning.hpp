// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thresholds of conversion. None was measured.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::convert::tuning {

/// Instructions of a function of no array up to which it is bound wherever it is needed, as if it were free.
inline constexpr std::size_t free_instructions = 8;
/// A function with more literals is full of coefficients: a kernel would only be slowed down by so many inputs.
inline constexpr std::size_t most_lifted = 32;
/// Functions that differ by literals only, from which on these become inputs of a compiled function, too: each literal that
/// stays a constant may cost a kernel of its own (the cosines and sines of sixteen stages of a Fourier transform: 33, or 2).
inline constexpr std::size_t least_family = 4;
/// Whole numbers up to this magnitude are structure, such as the axis of a window or a factor two, and stay in the program;
/// larger ones are values that may differ from call to call, which become inputs.
inline constexpr std::int64_t small_number = 16;

}  // namespace sinter::convert::tuning
