// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether folds and scans are no longer than the arrays that they read.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// True if every fold and scan of floating-point numbers of the kernel loads, in each of its steps, another element of an
/// array without a check: then its extents are not larger than those of the array, whatever computes them.
bool has_bounded_folds(const Kernel& kernel);

}  // namespace sinter::lower
