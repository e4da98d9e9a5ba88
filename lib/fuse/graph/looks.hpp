// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much functions read at computed indices.
#pragma once

#include "ir/program.hpp"

#include <optional>

namespace sinter::fuse {

/// How many elements of a captured array the function of `op` reads for each of its points; nothing if control flow decides.
std::optional<std::int64_t> looks(const ir::ArrayOp& op, ir::ValueId array);

}  // namespace sinter::fuse
