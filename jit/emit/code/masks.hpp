// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Masks of the lanes that are open: one wide mask per part (Code::wide).
#pragma once

#include "jit/emit/code/code.hpp"

namespace sinter::emit {

/// The active lanes.
Few active_lanes(Code& code);
/// The lanes of `mask` (all lanes if there is none) where `condition` holds; with `negated`, where it does not.
Few mask_and(Code& code, const Few& mask, const Value& condition, bool negated = false);
/// The first `remaining` lanes of each row.
Few tail_mask(Code& code, llvm::Value* remaining);
/// Emits code twice: for all lanes without a mask, and for the lanes of the mask.
Few where_full(Code& code, llvm::function_ref<Few()> emit_lanes);

}  // namespace sinter::emit
