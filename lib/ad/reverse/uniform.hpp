// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What functions of maps compute from captured scalars alone: it is the same at all points.
#pragma once

#include "ir/function.hpp"

#include <vector>

namespace sinter::ad {

/// By result of the function: true if it depends on no parameter before number `scalars`.
std::vector<bool> uniform_results(const ir::Fn& fn, std::size_t scalars);

/// The function of the parameters from number `scalars` on that has only these results, which are uniform.
ir::Fn uniform_part(const ir::Fn& fn, std::size_t scalars, const std::vector<std::size_t>& results);

/// {position, v0, v1, .. -> the one at that position}
ir::Fn choose_by_position(ir::Scalar scalar, std::size_t count);

}  // namespace sinter::ad
