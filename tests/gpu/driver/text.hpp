// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pieces of PTX as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace driver {

std::string_view trimmed(std::string_view text);
/// Parts between separators that stand in no brackets, trimmed; an empty text has none.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string without_comments(std::string_view text);
/// Position of the bracket that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open);

}  // namespace driver
