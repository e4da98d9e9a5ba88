// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A fold of folds with one operator is one fold (RedFlat: Henriksen et al., IFL 2013, section 3).
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// If all results of a fold are the arguments, in order, of another fold with the same operator, and nothing else needs
/// them, one fold along the axes of both replaces the second. The first has to start from the operator's neutral element,
/// and unless the operator is commutative, its axes have to be inside those of the second. Linear.
ir::Program red_flat(ir::Program program);

}  // namespace sinter::enable
