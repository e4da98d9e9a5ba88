// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operators of scans that begin anew where a flag says that a segment begins (Blelloch 1990, section 1.5).
#pragma once

#include "ir/function.hpp"

namespace sinter::enable {

/// {begun, a.., begins, b.., scalars.. -> begun or begins, b.. if begins, else op(a.., b..)}. `reverse`: b was there before.
ir::Fn restarting(const ir::Fn& op, std::size_t states, bool reverse);

/// {a.., begins, elements.., inits.., scalars.. -> next(inits if begins, else a.., elements..)}
ir::Fn beginning_anew(const ir::Fn& next, std::size_t states, std::size_t elements);

}  // namespace sinter::enable
