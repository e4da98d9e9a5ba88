// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The user's texts to which functions refer: those of expect and debug_print, each with its line.
///
/// Functions refer to a text by a number that depends on the text and its place alone, so that it is the same in every
/// process. The lowest bits of the number are the rank of the elements that are passed to the function, or 0 if there are
/// none. The number of an element packs its indices: 63 / rank bits for each, the outermost in the highest bits. An index
/// that needs more bits is replaced by the largest.
#pragma once

#include <sinter/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter {

struct UserText {
    std::string text;
    location where;
};

inline constexpr std::uint64_t text_rank_bits = 3;
inline constexpr std::size_t most_numbered_axes = (1u << text_rank_bits) - 1;
constexpr std::size_t rank_of_text(std::uint64_t text) { return text & most_numbered_axes; }
constexpr int bits_of_index(std::size_t rank) { return 63 / static_cast<int>(rank); }

/// The number of a text with rank 0.
std::uint64_t remember_text(std::string_view text, location where);
/// Empty for a number that remember_text has not returned in this process.
UserText user_text(std::uint64_t text);
/// Where a text is that stands at this place; no place if there is none.
location find_text(std::string_view file, std::uint32_t line, std::uint32_t column);

/// What the numbers of expect, debug_print and print in a program's or kernel's text stand for: a line
/// `#1234 "the sum is positive" (file.cpp:12)` for each that is known.
std::string texts_in(std::string_view program);

/// For example "(1, 2)", or "7" for rank 1; empty for rank 0.
std::string describe_element(std::uint64_t text, std::int64_t number);
/// The user's text, and the element for which the expectation does not hold.
std::string describe_expectation(std::uint64_t text, std::int64_t number);

}  // namespace sinter
