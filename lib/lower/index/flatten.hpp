// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts the innermost two parallel axes of a kernel as one: for short rows, where lanes along the innermost axis alone
/// would mostly be empty.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// The kernel with one axis fewer and as many points in the same order. The indices along the two axes are the quotient and
/// the remainder of the new index, but row-major positions are the new index itself. The size table is that of the kernel,
/// with at most one further entry: the extent of the new axis. The kernel has to have at least two axes.
Kernel flatten(Kernel kernel);

}  // namespace sinter::lower
