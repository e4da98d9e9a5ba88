// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Replaces reads at a map's own index, or next to it, by arguments.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// If a map's function reads an array at some of the map's indices (a(i, j), m(i), a(j, i)), or at those of a neighbour that
/// is kept within bounds (neighbour_index.hpp), along axes of equal extents, it gets the element as an argument instead: a
/// view of the array, which fuses with what makes it. Other reads stay. To be run after interchange, which looks for loops
/// of maps without views. Linear.
ir::Program index_reads(ir::Program program);

/// The extents that would have to be equal for the reads that stay. Linear.
std::vector<Wish> wishes_of_index_reads(const ir::Program& program);

}  // namespace sinter::enable
