// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Batches of reduces whose elements lie between each other: for each index of the reduced axis, memory has the elements of
/// the whole batch side by side. So are outer products of many vectors summed over points, with an array of points x vectors
/// x elements. One of the batch alone needs a little of many pages of memory.
#pragma once

#include "schedule/candidates.hpp"

namespace sinter::schedule {

struct Interleaved {
    std::int64_t arrays = 0, bytes = 0;  ///< arrays that lie so, and their bytes of one index of the reduced axis
};

/// `loop`: of the kernel's body. `row_axis`: that of the rows which go through it together.
Interleaved interleaved(const lower::Kernel& kernel, const lower::Inst& loop, std::size_t row_axis,
                        const std::int64_t* sizes);

}  // namespace sinter::schedule
