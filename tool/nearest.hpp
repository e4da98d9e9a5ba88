// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Guesses what a mistyped word was meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tool {

/// The word that differs least from `wrong`, counting letters that are inserted, left out, replaced or swapped with the next
/// one; nothing if more than a third of the letters differ.
std::string nearest(std::string_view wrong, std::span<const std::string> words);

}  // namespace tool
