// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

/// The kernel with only the sizes that it uses, in order of first use: kernels that are equal otherwise become equal,
/// whatever else the tables of their clusters held.
Kernel compact_sizes(Kernel kernel);

}  // namespace sinter::lower
