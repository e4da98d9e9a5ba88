// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_DUMP=stage,...: the text of every stage named there goes to stderr. "all" names every stage.
#pragma once

#include "support/shared.hpp"

#include <string_view>

namespace sinter {

/// Whether `stage` is to be dumped: ask before making the text.
SINTER_SHARED bool dumps(std::string_view stage);
/// Writes the text under a heading, in one piece.
SINTER_SHARED void dump(std::string_view stage, std::string_view text);

}  // namespace sinter
