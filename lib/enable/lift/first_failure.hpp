// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One guard for all slices of a vmap: it compares the sizes of the first slice in which it fails.
#pragma once

#include "enable/slices/slices.hpp"

namespace sinter::enable {

/// Writes the first pair of sizes, out of one per slice, that breaks a guard (`at_most`: that the left one does not exceed
/// the right one; otherwise that they are equal), as two scalars, of which this is the first. They are 0 and 0 if no slice
/// that takes part has such a pair.
ir::ValueId first_failure(Slices& slices, ir::ValueId left, ir::ValueId right, bool at_most);

}  // namespace sinter::enable
