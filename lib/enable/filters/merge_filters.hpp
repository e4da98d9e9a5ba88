// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Merges filters by one mask.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Compacts of a body with the same mask become one: the mask is computed and its places are counted once, and all arrays
/// have one extent, so that maps over several of them are maps of one filter, which push_filters may move. To be run after
/// push_filters, which leaves no filter whose arrays are not needed in memory, and before it is run again.
ir::Program merge_filters(ir::Program program);

}  // namespace sinter::enable
