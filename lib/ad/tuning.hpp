// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers that differentiation decides by.
#pragma once

#include <cstdint>

namespace sinter::ad {

/// Bytes of states that a segment of a loop may have for it to be longer than half the root of the iterations. About a
/// second-level cache, in which what was written is still there when it is read. A guess: not measured.
constexpr std::int64_t cached_bytes = 1 << 20;

/// Points beyond a clamped border whose adjoints are added to the border one by one, by one select each; more of them are
/// scattered. A guess: not measured.
constexpr std::int64_t longest_border = 4;

}  // namespace sinter::ad
