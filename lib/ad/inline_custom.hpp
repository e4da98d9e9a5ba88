// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Removes rules once no derivative is left.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// Replaces each function that has a rule by what it computes; the rules are dropped.
ir::Program inline_custom(ir::Program program);

}  // namespace sinter::ad
