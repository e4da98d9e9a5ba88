// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Regular flattening: turns nests of vmap into flat rank-polymorphic operations.
#pragma once

#include "enable/lift/irregular_loops.hpp"

namespace sinter::enable {

/// The same program without vmaps, except for those that contain a derivative. What does not depend on the slice is executed
/// once, even if there is no slice. Whatever only some slices execute (a branch, an iteration) cannot fail in the others.
/// What slices share there can fail even if none of them takes the branch, unless it is a function that fails: a slice out
/// of range, an index of a scatter, a loop that does not terminate. Slices of different shapes become segments
/// (enable/flatten/flats.hpp), or are executed one after another. Throws Limitation, with the operation's site, where slices
/// differ in something that has to be the same for all. Linear in the program's size times its nesting.
ir::Program lift(ir::Program program);
/// The same; adds the vmaps whose slices are executed one after another to `found`, instead of logging them.
ir::Program lift(ir::Program program, std::vector<SliceBySlice>& found);

}  // namespace sinter::enable
