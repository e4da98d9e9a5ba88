// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Avoids writing the arrays of filters, or writes what is computed from their elements instead.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// The same program with fewer arrays between compacts and what reads them. If everything that reads a compact's arrays
/// consists of maps, folds and further compacts, these go over the full arrays instead and select the elements that count,
/// and fusion makes one pass of all this. Otherwise, maps whose results are needed in memory move before the compact. Only
/// operations that cannot fail are executed for elements that are dropped; expensive functions (filter_plan.hpp) stay behind
/// the filter. For programs without vmap. Linear.
ir::Program push_filters(ir::Program program);

/// The same for compacts in functions of slices, as far as possible: compacts that remain cannot be lifted. For programs
/// with vmap. Linear.
ir::Program push_filters_of_slices(ir::Program program);

}  // namespace sinter::enable
