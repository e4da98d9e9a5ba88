// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits one scan instruction.
///
/// A line is scanned in chunks. Within a chunk, prefixes are *local*: those of the chunk's elements alone. A vector of
/// elements is turned into its prefixes in log2(width) steps (Hillis and Steele, CACM 1986), each of which combines with
/// what is 1, 2, 4, .. lanes before; then the total of the vectors before is combined from the left, and finally what comes
/// before the chunk. So the association is fixed by the lengths of the chunks, whichever thread scans them, and whether they
/// are scanned once or twice.
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

/// Returns the totals; in a tile that executes a chunk, leaves the point instead. In a chain entry, combines what comes
/// before a chunk with the chunk's total, which gives what comes before the next one, and leaves the point.
Values emit_scan(Emitter& emitter, const Inst& inst);

}  // namespace sinter::emit
