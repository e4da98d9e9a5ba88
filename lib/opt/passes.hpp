// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The optimisation passes: each maps a program to one with the same results. Errors are kept, but for operations whose
/// results nobody needs. pipeline.hpp orders them.
#pragma once

#include "ir/program.hpp"

namespace sinter::opt {

/// Folds constants, applies algebra that is exact under IEEE 754, and takes decisions that are known (cond, loops), in
/// functions and on the level of arrays. Functions come out canonical. Linear.
ir::Program simplify(ir::Program program);

/// Replaces results that are copies (identity maps and views, both branches of a cond equal, unchanged states of loops) by
/// what they copy, and a view of a view of the same kind by one view. Leaves unused bindings. Linear.
ir::Program copy_propagation(ir::Program program);

/// Computes on scalars: a rank-0 map used by one rank-0 map only becomes part of it; constants become part of the functions
/// that capture them; rank-0 arrays that functions read become captured scalars. Leaves unused bindings. Linear.
ir::Program scalars(ir::Program program);

/// Transpositions of what is made, element by element, of arrays transposed the other way cancel with these: a program on
/// slices along a later axis goes through memory as it lies. Linear in the program, times the transpositions.
ir::Program cancel_transposes(ir::Program program);

/// Updates of parts of one array, one after another, are ordered so that each reads nothing that another one has overwritten
/// but what it needs to, and reads of the array are of its newest version where that is no different. Quadratic in the
/// updates of one array.
ir::Program order_updates(ir::Program program);

/// Moves work to where it is done once: expensive scalar instructions that depend on captured scalars only become a rank-0
/// map, and bindings of a loop's body that do not depend on the iteration move out of the loop (rank-0 maps, folds, maps
/// with expensive functions or reads at computed indices, and what those need). What may fail moves out of a loop that is
/// known to run, or else into a conditional before the loop. No array is stored that is larger than those it is made of, as
/// far as that is seen. Linear in the program times its nesting.
ir::Program hoist(ir::Program program);

/// Makes cheap arrays of wider elements than those they are made of (constants, indices, casts) again in the bodies of loops
/// and conditionals that read them in place. Leaves unused bindings. Linear.
ir::Program sink(ir::Program program);

/// Merges bindings that compute the same, equal arguments of a map and equal instructions of a function. Linear.
ir::Program cse(ir::Program program);

/// Drops bindings, results, states of loops, instructions, arguments and captures that no result of the program needs.
/// Inputs stay. Linear but for loops whose states need each other in a chain.
ir::Program dead_code(ir::Program program);

}  // namespace sinter::opt
