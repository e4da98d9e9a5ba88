// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text.hpp"

#include "settings.hpp"

#include <algorithm>

namespace driver {

namespace {

constexpr std::string_view blanks = " \t\n\r";

int depth_of(char c) {
    if (c == '{' || c == '[' || c == '(') return 1;
    return c == '}' || c == ']' || c == ')' ? -1 : 0;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += depth_of(text[i]);
        if (text[i] != separator || depth != 0) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    if (const std::string_view last = trimmed(text.substr(begin)); !last.empty()) parts.push_back(last);
    return parts;
}

std::string without_comments(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const bool begins = text.substr(i, 2) == "//";
        const std::size_t end = begins ? text.find('\n', i) : i + 1;
        if (!begins) result += text[i];
        i = std::min(end, text.size());
    }
    return result;
}

std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i)
        if ((depth += depth_of(text[i])) == 0) return i;
    violation("PTX: a bracket is not closed");
}

}  // namespace driver
