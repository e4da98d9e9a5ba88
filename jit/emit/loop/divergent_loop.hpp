// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A while_loop or for_loop whose lanes end at different times. A state that is the same in all active lanes, such as a
/// counter of iterations, is a scalar, and a condition on it alone ends the loop for all lanes. A state that nothing uses
/// after the loop need not be preserved for lanes that have ended: whatever they compute is discarded.
#pragma once

#include "jit/emit/body/blocks.hpp"

namespace sinter::emit {

Values divergent_loop(Blocks& blocks, const Inst& inst, const std::vector<bool>& vary);

}  // namespace sinter::emit
