// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns loops of scalar functions into loops over arrays, for which reverse mode has a rule.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// In a vjp, turns maps whose functions have loops that reverse mode cannot differentiate (or many numbers go into) into
/// vmaps whose bodies have these loops as operations of rank 0: lifting turns them into loops over whole arrays.
ir::Program expand_loops(ir::Program program);

}  // namespace sinter::ad
