// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compaction. A vector of elements is moved to the position where the next kept one belongs, with the kept ones in front;
/// the next vector overwrites the others. There is enough room, because no more elements are kept than have been examined. A
/// chunk writes from the beginning of the buffers that it is given.
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

/// Returns the number of elements that were kept.
Values emit_compact(Emitter& emitter, const Inst& inst);

}  // namespace sinter::emit
