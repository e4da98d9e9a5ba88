// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops of scalar functions become loops over arrays, for which reverse mode has a rule.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// Maps in a vjp whose functions have loops of floating-point numbers become vmaps whose bodies have these loops as
/// operations of rank 0: lifting makes loops over whole arrays of them.
ir::Program expand_loops(ir::Program program);

}  // namespace sinter::ad
