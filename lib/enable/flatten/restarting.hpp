// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scans that begin anew where a flag says that a segment begins (Blelloch 1990, section 1.5), and their operators.
#pragma once

#include "enable/slices/slices.hpp"
#include "ir/function.hpp"

namespace sinter::enable {

/// {begun, a.., begins, b.., scalars.. -> begun or begins, b.. if begins, else op(a.., b..)}. `reverse`: b was there before.
ir::Fn restarting(const ir::Fn& op, std::size_t states, bool reverse);

/// The inclusive scan of `flagged`, the flags and as many arrays as there are states; returns its first result behind the
/// flags. Captures have old names.
ir::ValueId restarting_scan(Slices& slices, const ir::Fn& op, const ir::Captures& captures, bool reverse,
                            ir::ValueId flagged, std::size_t states);

/// {a.., begins, elements.., inits.., scalars.. -> next(inits if begins, else a.., elements..)}
ir::Fn beginning_anew(const ir::Fn& next, std::size_t states, std::size_t elements);

}  // namespace sinter::enable
