// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// The kernel with only the sizes it uses, in order of first use: whatever else the cluster's table held, equal kernels are
/// equal.
Kernel compact_sizes(Kernel kernel);

}  // namespace sinter::lower
