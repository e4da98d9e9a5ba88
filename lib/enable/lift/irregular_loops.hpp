// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nests whose slices have different shapes.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A vmap that contains no nest, and in whose body an extent depends on the slice, or an operation that lifting cannot make
/// one of for all slices, becomes a loop that takes one slice after another. The others stay.
ir::Program irregular_loops(ir::Program program);

}  // namespace sinter::enable
