// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_DUMP=stage,...: writes the text of every stage in the list to stderr. "all" stands for every stage.
#pragma once

#include "support/shared.hpp"

#include <string_view>

namespace sinter {

/// True if `stage` is to be dumped. To be asked before the text is made.
SINTER_SHARED bool dumps(std::string_view stage);
/// Writes the text under a heading, in one piece.
SINTER_SHARED void dump(std::string_view stage, std::string_view text);

}  // namespace sinter
