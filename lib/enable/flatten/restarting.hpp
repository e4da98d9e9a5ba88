// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operators on values paired with a flag that marks where a segment begins (Blelloch 1990, section 1.5).
#pragma once

#include "ir/function.hpp"

namespace sinter::enable {

/// {begun, a.., begins, b.., scalars.. -> begun or begins, b.. if begins, else op(a.., b..)}. `reverse`: b was there before.
ir::Fn restarting(const ir::Fn& op, std::size_t states, bool reverse);

}  // namespace sinter::enable
