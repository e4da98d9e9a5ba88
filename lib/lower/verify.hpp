// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The invariants of kernels: what every target takes for granted. kernel.hpp says what the operations mean.
///
///   K1  An operand is a local in scope: defined before, in the same block or one around it. So are a block's results. The
///       body has one i64 parameter per axis of the space, and no results.
///   K2  Operand types fit the operation's table and result types are those it gives. No read, extent or operation that
///       lib/ir/math defines.
///   K3  A constant is zero-extended from its type's width. bits is 0 where ops.def gives it no meaning; 1 marks sums,
///       differences and products of f32 or f64 whose rounding may be left out.
///   K4  cond, while_loop and for_loop have the forms that they have in functions (F4 of ir/verify/verify.hpp), but
///       loops need not have states; of the other operations, only those of K9 to K12 have blocks.
///   K5  load, store: the buffer exists, the offset is an i64, the value has the buffer's scalar type. Inputs and local
///       buffers are loaded; outputs and local buffers are stored. Outputs that begin as copies are loaded, too, if there
///       are no parallel axes.
///   K6  size: the entry exists. An entry is made of entries before it. Extents of the space, elements of buffers and
///       nonempty name entries.
///   K7  check_index, check_divisor, expect, print: the check exists, and is of an index, a divisor, an expectation (or a
///       guard or shape, with another number), a print; indices and extents are i64.
///   K8  An output that begins as a copy has an input to copy, with its scalar type, and is not local. An
///       accumulator is an output that does not begin as a copy.
///   K9  reduce: r >= 1 extents, k >= 0 values; {r indices -> k values}, {k and k -> k}; bits as in kernel.hpp.
///   K10 for_each: r >= 1 extents; {r indices -> nothing}, no results.
///   K11 scan: one extent, k initial values or, if inclusive, none; {index -> k}, {k and k -> k}, {index, k -> nothing}.
///   K12 compact: one extent; {index -> boolean, k values}, outputs b .. b + k of their scalars. update: an i64 offset, k
///       values, outputs b .. b + k of their scalars that begin as copies or are accumulators; {k and k -> k}; not inside an
///       operator or the elements of a scan, and in what a scan emits only accumulators.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// Throws an InternalError that names the operation and the invariant if one is violated. Linear.
void verify(const Kernel& kernel);

/// The kernel, verified if that is wanted (support/verifying.hpp): for everything that makes or rewrites kernels.
Kernel verified(Kernel kernel);

}  // namespace sinter::lower
