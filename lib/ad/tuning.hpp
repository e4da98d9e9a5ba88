// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers by which differentiation decides.
#pragma once

#include <cstdint>

namespace sinter::ad {

/// A segment of a loop may be longer than half the root of the iterations only if its states have at most this many bytes:
/// about a second-level cache, where what was written is still present when it is read. A guess: not measured.
constexpr std::int64_t cached_bytes = 1 << 20;

/// The largest number of points beyond a clamped border whose adjoints are added to the border one by one, with one select
/// each; more are scattered. A guess: not measured.
constexpr std::int64_t longest_border = 4;

}  // namespace sinter::ad
