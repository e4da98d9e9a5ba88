// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of this layer.
#pragma once

namespace sinter::runtime::tuning {

/// Seconds without any message after which the ranks give up, unless SINTER_RANKS_TIMEOUT says otherwise: longer than what
/// one rank does alone while others wait, such as reading a file, and short enough for somebody to wait for it. A rank that
/// ends is noticed at once.
inline constexpr double longest_silence = 600;

/// Emulated ranks: seconds in which the others have to end after one has failed; as mpirun, but it waits less.
inline constexpr double grace = 3;

}  // namespace sinter::runtime::tuning
