// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compaction. A vector of elements is moved to the place where the next kept one belongs, the kept ones in front; the next
/// vector overwrites the others. There is room: no more are kept than have been looked at. A chunk writes from the beginning
/// of the buffers it is given.
#pragma once

#include "jit/emit/emitter.hpp"

namespace sinter::emit {

/// How many elements were kept.
Values emit_compact(Emitter& emitter, const Inst& inst);

}  // namespace sinter::emit
