// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/text/byte_count.hpp"

#include "support/settings.hpp"

#include <charconv>
#include <limits>

namespace sinter {

namespace {

std::optional<int> shift_of(std::string_view suffix) {
    if (suffix.empty()) return 0;
    if (suffix == "K") return 10;
    if (suffix == "M") return 20;
    if (suffix == "G") return 30;
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_byte_count(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const std::optional<int> shift = shift_of({rest, static_cast<std::size_t>(end - rest)});
    if (error != std::errc() || !shift || number > std::numeric_limits<std::uint64_t>::max() >> *shift) return std::nullopt;
    return number << *shift;
}

std::optional<std::uint64_t> byte_count_setting(const char* variable) { return parse_byte_count(setting(variable)); }

}  // namespace sinter
