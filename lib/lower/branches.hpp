// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns masks whose values are expensive into branches.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// A select computes both of its values for every point. If its condition follows from indices alone (i == j, j <= i),
/// neighbours mostly agree about it: if one of the values is expensive and needed for nothing else, the select becomes a
/// branch, which vectors of points that agree do not enter. A condition on data remains a select, because branches that
/// cannot be predicted cost more. Linear, times the number of such selects.
Kernel branches(Kernel kernel);

}  // namespace sinter::lower
