// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Views in loops that are the same in every iteration.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// Moves slices, reshapes and transpositions of arrays from outside out of the loops of a vjp. The adjoint of such a view is
/// then a state of the reverse loop, to which each iteration adds in the kernel that computes what it adds; it goes to the
/// array's own adjoint once, behind the loop. Inside, every iteration would scatter what belongs to each view. Views that
/// enlarge an array stay: their adjoints are sums, which are small.
ir::Program outer_views(ir::Program program);

}  // namespace sinter::ad
