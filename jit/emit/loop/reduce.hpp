// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions, and loops for their effects.
///
/// A reduce folds the elements along one or several axes; the innermost index changes fastest. An operator with a neutral
/// element starts from it; for any other, a flag says whether there is a value yet. The initial value is combined last, from
/// the left, once: parts of the range may be folded without it. The first of the following ways that fits is taken:
///
///   row blocks   lanes are already rows of points, and the reduced axis runs along a row: blocks of columns are loaded
///                contiguously, transposed, and combined from left to right;
///   sequential   in lanes that are already open, or where lanes do not pay: element after element, each lane by itself;
///   interleaved  the operator is commutative: every lane of every part accumulates its own elements, every n-th of the
///                range, so that latencies overlap; at the end the parts, and then the lanes, are combined in a fixed tree;
///   ordered      it is not commutative: every lane folds a contiguous block in order, then lanes are combined from left to
///                right;
///   tiled        in a register tile: for all its rows and columns at once (tiled_reduce.cpp).
///
/// Long ranges are cut into chunks, which several threads fold (chunked.hpp). Each of them leaves a partial result; a second
/// entry combines those of a point in order and executes what follows the reduce. So the association depends on the extents
/// and on the machine's vectors, but not on the number of threads.
///
/// Futhark's `SegRed` distinguishes commutative operators in the same way (Larsen and Henriksen, Strategies for Regular
/// Segmented Reductions on GPU, 2017). Here, each lane's block is read contiguously, several elements at a time, and
/// transposed in registers.
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

Values emit_reduce(Emitter& emitter, const Inst& inst);
Values emit_tiled(Emitter& emitter, const TileLoop& loop);
void emit_for_each(Emitter& emitter, const Inst& inst);

}  // namespace sinter::emit
