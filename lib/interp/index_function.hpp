// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Views with known extents.
#pragma once

#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter::interp {

using Extents = std::vector<std::int64_t>;

/// Replaces `source` by the index into the argument that `function` reads for `index` of the result. `starts` are the values
/// of Slice::start.
void find_source(const ir::IndexFunction& function, const Extents& arg, const Extents& result, const Extents& starts,
                 const Extents& index, Extents& source);

/// What is wrong with these extents, if the view would leave its argument.
std::optional<std::string> view_problem(const ir::IndexFunction& function, const Extents& arg, const Extents& result,
                                        const Extents& starts);

}  // namespace sinter::interp
