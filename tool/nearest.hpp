// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a mistyped word may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tool {

/// The word that differs least from `wrong`, in letters that are inserted, left out, replaced or swapped with the next;
/// nothing if more than a third of the letters differ.
std::string nearest(std::string_view wrong, std::span<const std::string> words);

}  // namespace tool
