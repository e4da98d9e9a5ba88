// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds nests: operations whose functions work on slices of arrays.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// True if it contains a vmap, a fold or scan of rows, or a derivative.
bool contains_nest(const ir::Body& body);
/// True if it contains a vmap, or a fold or scan of rows, that contains none of these.
bool contains_flat_nest(const ir::Body& body);

}  // namespace sinter::enable
