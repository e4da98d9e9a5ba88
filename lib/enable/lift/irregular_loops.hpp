// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nests whose slices have different shapes.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Turns a vmap into a loop over slices if it contains no nest and its body has an extent that depends on the slice, or an
/// operation that lifting cannot execute for all slices at once, unless all of it can be flattened
/// (enable/flatten/flattenable.hpp). Other vmaps stay.
ir::Program irregular_loops(ir::Program program);

}  // namespace sinter::enable
