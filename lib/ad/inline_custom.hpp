// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions with a rule, once no derivative is left.
#pragma once

#include "ir/program.hpp"

namespace sinter::ad {

/// Each becomes what the function computes; the rules are dropped.
ir::Program inline_custom(ir::Program program);

}  // namespace sinter::ad
