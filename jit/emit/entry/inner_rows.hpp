// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows of points that reach no border along the outer axes (schedule/facts/row_borders.hpp).
#pragma once

#include "jit/emit/emitter.hpp"
#include "schedule/facts/row_borders.hpp"

namespace sinter::emit {

/// The borders, which do nothing in such rows.
IdleInstructions idle_in_inner_rows(const schedule::RowBorders& borders);
/// Says if a row is such a one. `outer`: the indices of the outer axes.
llvm::Value* is_inner_row(Emitter& emitter, const schedule::RowBorders& borders, const Values& outer);

}  // namespace sinter::emit
