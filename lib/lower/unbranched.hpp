// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Takes products out of branches.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// `cond(i <= j, the sum over k of x(i, k) * y(k, j), 0)` becomes a select, and the sum is computed for all points:
/// together, these share what they load in register tiles, which branches rule out. That is done where this is the kernel's
/// only loop, where the condition follows from indices and holds for a good part of the points, as far as can be seen, and
/// where nothing in the branch relies on it: to be called before checks are left out that a condition implies. Linear.
Kernel unbranched(Kernel kernel);

}  // namespace sinter::lower
