// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Products of rows and columns, whose elements share what they read.
#pragma once

#include "ir/program.hpp"

#include <functional>

namespace sinter::fuse {

/// True if an element is computed by a loop that reads what all elements of a row share and what all elements of a column
/// share, as a product of matrices written with indices does. A kernel of such elements may load each number once for a
/// tile of rows and columns (schedule/ways/register_tile.hpp). In a pass over rows, every row loads all of them.
bool is_product(const ir::ArrayOp& op, std::size_t rank);

/// What makes a variable in the same body; null if nothing there does.
using Maker = std::function<const ir::Binding*(ir::ValueId)>;

/// As is_product, of a fold, whose arguments have this rank: they are computed by maps from broadcasts, of which some are
/// the same in all columns and others in all rows, as a product of matrices written with broadcasts is.
bool is_product_of_broadcasts(const ir::ArrayOp& op, std::size_t rank, const Maker& maker);

}  // namespace sinter::fuse
