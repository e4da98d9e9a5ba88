// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Products by index.
#pragma once

#include "ir/program.hpp"

namespace sinter::fuse {

/// True if an element is computed by a loop that reads what all elements of a row share and what all elements of a column
/// share, as a product of matrices written with indices does. A kernel of such elements may load each number once for a
/// tile of rows and columns (schedule/ways/register_tile.hpp). In a pass over rows, every row loads all of them.
bool is_product(const ir::ArrayOp& op, std::size_t rank);

}  // namespace sinter::fuse
