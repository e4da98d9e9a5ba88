// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scatters of which several values may go to one place: the *owner* of a place is the last of these values, by its position
/// in row-major order; -1 where there is none. Both modes choose so, because a scatter may choose any.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// The operator of the scatter of positions that finds the owners.
ir::Fn greatest();
/// {owner, what the destination holds -> element `owner` of array 0, or what the destination holds}
ir::Fn element_of_owner(ir::Scalar scalar);

}  // namespace sinter::ad
