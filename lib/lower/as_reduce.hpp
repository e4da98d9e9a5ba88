// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequential loops that fold: each step combines the state with values that do not depend on it, as t + x(i, k) * y(k, j)
/// does. Written as a reduce, the loop has the parts that a register tile needs: elements, which points share, and an
/// operator. But its elements have to be combined from left to right, because nothing is known of the operator.
///
/// A nest of loops that hand on the states, and do nothing else with them, is a reduce along several axes.
#pragma once

#include "lower/kernel.hpp"

#include <optional>

namespace sinter::lower {

/// The reduce that gives what a for_loop gives if elements are combined in order; nothing if there is none. `level` is the
/// number of locals before the loop.
std::optional<Inst> as_reduce(const Inst& loop, std::size_t level);

/// The kernel of a single point with a reduce in place of each sequential loop whose steps combine integers by an operation
/// that associates exactly: it need not go step by step. Other kernels have points to do side by side, and remain as they
/// are.
Kernel with_exact_folds(Kernel kernel);

}  // namespace sinter::lower
