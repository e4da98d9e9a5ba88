// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions, and loops for their effects.
///
/// A reduce folds the elements of one or several axes, the innermost one fastest. An operator with a neutral element starts
/// from it; for any other a flag goes with the value that says whether there is one yet. The initial value is combined last,
/// from the left, once: a part of the range may be folded without it. The ways, the first that fits:
///
///   row blocks   lanes are rows of points already, and the reduced axis runs along a row: blocks of columns are loaded as
///                they lie, transposed, and combined from left to right;
///   sequential   in lanes that are open already, or where lanes do not pay: element after element, each lane for itself;
///   interleaved  the operator is commutative: every lane of every part accumulates its own elements, every n-th of the
///                range, so that latencies overlap; at the end parts, then lanes, are combined in a fixed tree;
///   ordered      it is not: every lane folds a contiguous block in order, then lanes are combined from left to right;
///   tiled        in a register tile: for all its rows and columns at once (tiles.hpp).
///
/// Long ranges are cut into chunks, which several threads fold (chunked.hpp). Each leaves a partial result; a second entry
/// combines those of a point in order and executes what follows the reduce. So the association depends on the extents and
/// the machine's vectors, not on the number of threads.
///
/// Futhark's `SegRed` distinguishes commutative operators likewise (Larsen and Henriksen, Strategies for Regular Segmented
/// Reductions on GPU, 2017). Here each lane's block is read where it lies, several elements at a time, and transposed in
/// registers.
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

Values emit_reduce(Emitter& emitter, const Inst& inst);
void emit_for_each(Emitter& emitter, const Inst& inst);

}  // namespace sinter::emit
