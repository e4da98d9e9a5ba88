// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Merges several sums over one set of groups into one sum of products.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Scatters of a body that combine values with arrays of one shape at the same indices, and of which none needs the result
/// of another, become one: the indices are read and checked once, and the elements of several arrays are updated together.
/// For targets that can update products as well as single values. To be run after the passes that move or merge what
/// scatters need. Quadratic in the scatters of a body, times what stands between them.
ir::Program merge_scatters(ir::Program program);

}  // namespace sinter::enable
