// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several iterations of a loop at a time, so that what is between them stays in registers.
#pragma once

#include "ir/function.hpp"

#include <vector>

namespace sinter::ad {

/// Turns each counted loop of the function that is going to be expanded (expanded.hpp), and contains none, into two: one
/// whose iterations are several of the old ones, written out, and one for those that are left. As loops over arrays, they
/// keep only the states between these blocks; within one, the function goes forwards and back. A loop of few iterations, if
/// their number is a constant, is written out as a whole. `params` and `slots`: whose
/// adjoints are wanted.
ir::Fn block_loops(const ir::Fn& fn, const std::vector<bool>& params, const std::vector<bool>& slots);

}  // namespace sinter::ad
