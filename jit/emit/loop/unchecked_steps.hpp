// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks of indices that grow evenly from step to step of a sequential loop. At which step the first of them fails is known
/// before the loop: until there it needs none of them, and that step reports what is wrong.
#pragma once

#include "jit/emit/body/blocks.hpp"

#include <optional>

namespace sinter::emit {

struct UncheckedSteps {
    llvm::Value* count;     ///< the steps before the first that fails; at most those of the loop
    IdleInstructions idle;  ///< what is known, and checks that hold in them
};

/// Nothing if the loop has no such checks, or its body is too large to be emitted twice.
std::optional<UncheckedSteps> unchecked_steps(Blocks& blocks, const Inst& for_loop);

}  // namespace sinter::emit
