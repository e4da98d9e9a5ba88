// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/log.hpp"

#include "support/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace sinter {

namespace {

constexpr std::array<std::string_view, 5> level_names{"", "error", "warning", "info", "debug"};

/// Returns false if the word has no meaning, or if a level has already been given.
bool add_word(std::string_view word, LogSetting& setting) {
    if (word == "launch") return !std::exchange(setting.launches, true);
    const auto* const found = std::find(level_names.begin() + 1, level_names.end(), word);
    if (found == level_names.end() || setting.level != LogLevel::none) return false;
    setting.level = static_cast<LogLevel>(std::distance(level_names.begin(), found));
    return true;
}

}  // namespace

std::optional<LogSetting> parse_log(std::string_view text) {
    LogSetting result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        if (!add_word(text.substr(0, end), result)) return std::nullopt;
        if (end + 1 == text.size()) return std::nullopt;  // nothing follows the comma
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

const LogSetting& log_setting() {
    static const LogSetting setting = parse_log(sinter::setting("SINTER_LOG")).value_or(LogSetting());
    return setting;
}

void write_log(LogLevel level, std::string_view text) noexcept try {
    const std::string line = fmt::format("sinter {}: {}\n", level_names[static_cast<std::size_t>(level)], text);
    std::fwrite(line.data(), 1, line.size(), stderr);
} catch (...) {  // there is no memory to log with
}

}  // namespace sinter
