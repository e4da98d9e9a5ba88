// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Regular flattening: nests of vmap become flat rank-polymorphic operations.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// The same program without vmap, but for those that contain a derivative. What does not depend on the slice is executed
/// once, even if there is no slice. What only some slices execute (a branch, an iteration) cannot fail in the others; what
/// slices share there can, if none takes the branch, where it is not a function that fails: a slice out of range, an index
/// of a scatter, a loop without end. Throws Limitation, with the operation's site, where slices differ in what must be one:
/// extents, bounds of slices, results of filter, arguments of foreign functions, operators of scatters. Linear in the
/// program's size times its nesting.
ir::Program lift(ir::Program program);

}  // namespace sinter::enable
