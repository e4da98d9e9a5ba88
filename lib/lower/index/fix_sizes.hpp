// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes constants of sizes: the short axes of pixels, points in space or small matrices decide how elements lie, and how
/// many there are to fold.
#pragma once

#include "lower/kernel.hpp"

#include <vector>

namespace sinter::lower {

/// The kernel for launches in which these entries of the size table, which depend on no others, have the values that they
/// have in `sizes`, the values of all entries. Its size table is that of the kernel.
Kernel fix_sizes(Kernel kernel, const std::vector<SizeId>& fixed, const std::int64_t* sizes);

/// The entries that depend on no others and of which the body uses the value, or that of one that depends on them, in the
/// order of the table.
std::vector<SizeId> sizes_used(const Kernel& kernel);

}  // namespace sinter::lower
