// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many elements functions read at computed indices.
#pragma once

#include "ir/program.hpp"

#include <optional>

namespace sinter::fuse {

/// How many elements of a captured array the function of `op` reads per point; nothing if that depends on control flow.
std::optional<std::int64_t> looks(const ir::ArrayOp& op, ir::ValueId array);

}  // namespace sinter::fuse
