// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scatters without an operator, whose points may store to the same element. Which value wins is unspecified, but it has to
/// be one of them: an element of several values, each of which is in an array of its own, is torn if two threads store to it
/// at once. Among ranks, it has to be the same one on each. Points that may meet at an element therefore stay on one thread,
/// which executes them in an order that the extents decide. Cards do otherwise (card/scatters.hpp), and for all sizes alike.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <vector>

namespace sinter::schedule {

/// The number of arrays in which points store elements beside those that the arrays begin with.
std::size_t overwritten_arrays(const lower::Kernel& kernel);

/// Of how many consecutive points (all that agree in some outer axes) some may store to the same element of such an array,
/// while others never do: 1 if no two points can meet, and all points at most. Offsets are bounded by linear functions of
/// the indices. `sizes`: the kernel's size table. Linear in the kernel's instructions.
std::int64_t points_that_meet(const lower::Kernel& kernel, const std::int64_t* sizes);

/// The stores to such arrays at which threads may meet, whatever the sizes are: those of different points, or of iterations
/// of a loop whose ranges threads share. What only sizes can tell is left open.
std::vector<const lower::Inst*> stores_that_may_meet(const lower::Kernel& kernel);

}  // namespace sinter::schedule
