// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several sums over one set of groups are one sum of products.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Scatters of a body that combine values with arrays of one shape at the same indices, none of which needs another's
/// result, become one: the indices are read and checked once, and elements of several arrays updated at a time. For targets
/// that update products as they do single values. After the passes that move or merge what scatters need. Quadratic in the
/// scatters of a body, times what stands between them.
ir::Program merge_scatters(ir::Program program);

}  // namespace sinter::enable
