// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scans that begin anew where a flag says that a segment begins (Blelloch 1990, section 1.5), and their operators.
#pragma once

#include "enable/flatten/carrying.hpp"
#include "ir/function.hpp"

namespace sinter::enable {

/// {begun, a.., begins, b.., scalars.. -> begun or begins, b.. if begins, else op(a.., b..)}. `reverse`: b was there before.
ir::Fn restarting(const ir::Fn& op, std::size_t states, bool reverse);

/// The inclusive scan of `flagged`: the flags, as many arrays as there are states, and what they carry; returns its first
/// result behind the flags.
ir::ValueId restarting_scan(Slices& slices, const Carrying& op, bool reverse, ir::ValueId flagged);

/// {a.., begins, elements.., inits.., scalars.. -> next(inits if begins, else a.., elements..)}
ir::Fn beginning_anew(const ir::Fn& next, std::size_t states, std::size_t elements);

}  // namespace sinter::enable
