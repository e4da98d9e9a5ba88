// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Leaves out checks of indices that hold wherever a condition around them does: `cond(i > 0 && i < n - 1, a(i - 1) + a(i +
/// 1), ..)`. The loads that relied on them stay in the branch.
#pragma once

#include "lower/kernel.hpp"

#include <set>

namespace sinter::lower {

/// `present`: sizes that are not negative, as extents of arrays are.
Kernel without_implied_checks(Kernel kernel, const std::set<SizeId>& present);

}  // namespace sinter::lower
