// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads at a map's own index or beside it, which a function need not make itself.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// A function of a map that reads an array at some of the map's indices (a(i, j), m(i), a(j, i)), or at those of a neighbour
/// that is kept within bounds (neighbour_index.hpp), along axes of equal extents, gets the element as an argument instead: a
/// view of the array, which fuses with what makes it. Other reads stay.
/// After interchange, which wants loops of maps without views. Linear.
ir::Program index_reads(ir::Program program);

/// Extents that would have to be equal for the reads that stay. Linear.
std::vector<Wish> wishes_of_index_reads(const ir::Program& program);

}  // namespace sinter::enable
