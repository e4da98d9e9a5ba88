// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nests whose slices have different shapes.
#pragma once

#include "enable/flatten/flattenable.hpp"
#include "ir/program.hpp"

#include <vector>

namespace sinter::enable {

/// A vmap whose slices are executed one after another, and what keeps it from being flattened.
struct SliceBySlice {
    ir::SiteId vmap;
    FlatteningObstacle obstacle;
};

/// Turns a vmap into a loop over slices if it contains no nest and its body has an extent that depends on the slice, or an
/// operation that lifting cannot execute for all slices at once, unless all of it can be flattened
/// (enable/flatten/flattenable.hpp). Other vmaps stay. Adds those vmaps to `found`; if that is null, it logs them.
ir::Program irregular_loops(ir::Program program, std::vector<SliceBySlice>* found);

}  // namespace sinter::enable
