// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Filters that write no array, or write what is made of their elements instead of them.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// The same program with fewer arrays between compacts and what reads them. Where all that reads a compact's arrays are
/// maps, folds and further compacts, these go over the full arrays instead and take the elements that count, which fusion
/// makes one pass of; else maps whose results are needed in memory move before it. Only what cannot fail is executed for
/// elements that are dropped; expensive functions (filter_plan.hpp) stay behind the filter. For programs without vmap.
/// Linear.
ir::Program push_filters(ir::Program program);

/// The same for compacts in functions of slices, as far as they can go: what is left of them cannot be lifted. For programs
/// with vmap; linear.
ir::Program push_filters_of_slices(ir::Program program);

}  // namespace sinter::enable
