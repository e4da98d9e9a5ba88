// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/kernel.hpp"

#include <string_view>

namespace sinter::lower {

/// Reads what print(const Kernel&) writes: print(parse(t)) is t for every printed t. A malformed text is a UsageError with
/// line and column.
Kernel parse(std::string_view text);

}  // namespace sinter::lower
