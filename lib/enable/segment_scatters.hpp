// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns sums by the numbers of segments into sums of segments.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A scatter with an operator, at indices that are the numbers of segments (segment_numbers.hpp), combines each destination
/// with the elements of a segment, which lie side by side. It becomes two maps over segments whose functions loop: nothing
/// is updated in memory, and the indices need not be made. Segments are cut as those of fold_segments are. Linear, times the
/// nesting.
ir::Program segment_scatters(ir::Program program);

}  // namespace sinter::enable
