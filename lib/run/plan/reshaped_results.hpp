// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Results that are another array under another shape: no kernel copies their elements.
#pragma once

#include "ir/program.hpp"

namespace sinter::runtime {

/// In the program's outermost body, a `reshape` that is nothing but a result of the program becomes a `force` whose type has
/// the other shape: arrays lie in memory row by row, so the result is its argument's memory. What makes the argument may
/// then be fused in its own shape: a fold before a `reshape` would otherwise be stored, read and stored again. Where maps of
/// what is in memory make the argument, they are computed in the other shape instead.
ir::Program name_reshaped_results(ir::Program program);

}  // namespace sinter::runtime
