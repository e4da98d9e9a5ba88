// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps of loops that change only a part of an array.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// In a counted loop
///     for k: a := map((i, j) -> i > k and j >= k ? f(a(i, j), a(i, k), a(k, j)) : a(i, j))
/// only elements with i > k and j >= k change. The step becomes an update of that box, which is done in place, after what it
/// reads of the array at the counter has been copied: that, and no more, may be overwritten before it is read. To be run
/// after index_reads, behind which the function's only reads are those at the counter. Linear, times the nesting.
ir::Program partial_steps(ir::Program program);

/// What would be done if the array were square, or if the loop had no more steps than the array's axes are long.
struct WishedStep {
    ir::Shape shape;  ///< of the array
    Wish wish;
};
std::vector<WishedStep> wished_partial_steps(ir::Program& program);

}  // namespace sinter::enable
