// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The optimisation passes: each maps a program to one with the same results. Errors are preserved, except for those of
/// operations whose results nobody needs. pipeline.hpp orders the passes.
#pragma once

#include "ir/program.hpp"

namespace sinter::opt {

/// Folds constants, applies algebra that is exact under IEEE 754, and takes decisions that are known (cond, loops), both in
/// functions and at the level of arrays. The resulting functions are canonical. Linear.
ir::Program simplify(ir::Program program);

/// Replaces results that are copies (identity maps and views, a cond with equal branches, unchanged states of loops) by what
/// they copy, and a view of a view of the same kind by one view. Leaves unused bindings. Linear.
ir::Program copy_propagation(ir::Program program);

/// Simplifies computations on scalars: a rank-0 map that is used by a single rank-0 map becomes part of it; constants become
/// part of the functions that capture them; rank-0 arrays that functions read become captured scalars. Leaves unused
/// bindings. Linear.
ir::Program scalars(ir::Program program);

/// Cancels transpositions of what is computed, element by element, from arrays that are transposed the other way: a program
/// on slices along a later axis then traverses memory in its order. Linear in the program, times the transpositions.
ir::Program cancel_transposes(ir::Program program);

/// Folds of what is computed from transposed arrays, element by element, become folds of the arrays as they lie, along other
/// axes: a fold of columns taken as rows goes over the matrix in the order in which folds of its rows do. Linear in the
/// program, times the folds of one body that share transpositions.
ir::Program turn_folds(ir::Program program);

/// Sorts of which nothing but the first elements of each line is read make no others. Linear.
ir::Program first_of_sorts(ir::Program program);

/// What is computed of the rows of a reshaped array and reshaped to more axes than rows have is computed in that shape: maps
/// and folds of rows between two reshapes. Linear in the program, times the reshapes.
ir::Program unflatten(ir::Program program);

/// Maps with expensive functions of which all elements along an axis are the same are computed once and repeated along it.
/// Linear.
ir::Program repeat_maps(ir::Program program);

/// In functions of maps, what is expensive (a call of a mathematical function, a division) and the same for all rows is
/// computed once and repeated. Linear in the program, times the sets of axes with which parts of a function vary.
ir::Program axis_work(ir::Program program);

/// Orders successive updates of parts of one array so that each reads as little as possible of what another one has
/// overwritten, and lets reads of the array use its newest version where that makes no difference. Quadratic in the updates
/// of one array.
ir::Program order_updates(ir::Program program);

/// Drops guards in the bodies of loops that hold whatever the iteration. Linear.
ir::Program loop_guards(ir::Program program);

/// Moves work to where it is done once. Expensive scalar instructions that depend on captured scalars only become a rank-0
/// map; bindings of a loop's body that do not depend on the iteration move out of the loop (rank-0 maps, folds, maps with
/// expensive functions or reads at computed indices, and what those need). What may fail moves out of a loop that is known
/// to run, or else into a conditional before the loop. No array is stored that is larger than those from which it is made,
/// as far as that can be seen. Linear in the program times its nesting.
ir::Program hoist(ir::Program program);

/// Computes cheap arrays whose elements are wider than those from which they are made (constants, indices, casts), and those
/// that repeat a smaller array, again in the bodies of loops and conditionals that read them in place. Leaves unused
/// bindings. Linear.
ir::Program sink(ir::Program program);

/// Merges bindings that compute the same, equal arguments of maps and equal instructions of functions. Linear.
ir::Program cse(ir::Program program);

/// Drops bindings, results, states of loops, instructions, arguments and captures that no result of the program needs.
/// Inputs stay. Linear, except for loops whose states need each other in a chain.
ir::Program dead_code(ir::Program program);

}  // namespace sinter::opt
