// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of slices whose results have different lengths.
#pragma once

#include <sinter/detail/control.hpp>

namespace sinter::detail {

/// Ends a scope of slices of `args` whose results have rank 1, one length each, and another for each slice: the number of
/// all elements, the lengths of all slices, and the elements of all slices one after another, one array per result.
SINTER_API void end_joined_vmap(const LeafRef* args, std::size_t count, LeafRef* out);

}  // namespace sinter::detail
