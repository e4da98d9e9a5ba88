// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Eliminations by blocks of steps.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// A loop whose steps change a box of a matrix (box_step.hpp), as those of an LU or Cholesky factorisation do, walks through
/// all of the matrix once a step. It becomes one over blocks of steps. In a block, the steps first change only the *panel*:
/// the rows and columns that the block's steps read. They keep the columns, rows and scalars with which they do so. Then
/// each element of the rest takes all steps of the block, one after another:
///     for k in the block: a(i, j) := f(k, i, j, a(i, j), columns(k, i), rows(k, j), scalars(k))
/// which is a fold in order, and runs in register tiles. Every element goes through the same steps with the same values as
/// before, so that all bits are the same. (The blocked form of LAPACK and of Golub and Van Loan, Matrix Computations, 4th
/// edition, section 3.2.11.) Of loops over matrices that are known to be large. To be run after partial_steps, which finds
/// boxes. Linear, times the nesting.
ir::Program blocked_steps(ir::Program program);

/// The wishes under which this is done: the matrix is large, and as partial_steps wishes it.
std::vector<Wish> wishes_of_blocked_steps(ir::Program& program);

/// Writes into the program what it may know of extents because wishes of blocked_steps and partial_steps hold.
void assume_for_steps(ir::Program& program, std::span<const Wish> holding);

}  // namespace sinter::enable
