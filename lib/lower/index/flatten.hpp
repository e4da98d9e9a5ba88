// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The innermost two parallel axes of a kernel counted as one: for short rows, where lanes along the innermost axis alone
/// would mostly be empty.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// The kernel on one axis fewer, with as many points in the same order; the indices along the two axes are the quotient and
/// the rest of the new one, but row-major positions in them are the new index itself. The size table is the kernel's, with
/// at most one entry behind: the extent of the new axis. The kernel has two axes or more.
Kernel flatten(Kernel kernel);

}  // namespace sinter::lower
