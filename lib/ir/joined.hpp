// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The two kinds of vmap.
#pragma once

#include "ir/program.hpp"

namespace sinter::ir {

/// A vmap of which the first result has rank 0 is *joined*: the results of its body are arrays of rank 1 and one shape,
/// which may have another extent for each slice. The vmap's results are the number of all their elements, an i64; their
/// extents, one i64 per slice; and for each of them, the elements of all slices one after another, whose extent is the first
/// result.
inline bool is_joined(const std::vector<Type>& types) { return !types.empty() && types[0].rank() == 0; }

}  // namespace sinter::ir
