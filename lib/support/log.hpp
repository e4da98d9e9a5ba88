// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_LOG: what the library does, and what it cannot do, as lines on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace sinter {

/// Each contains those before it.
enum class LogLevel : std::uint8_t {
    none,
    error,    ///< what a call throws
    warning,  ///< what goes on, but slower or elsewhere than it should
    info,     ///< what is done once: programs planned, code generated, libraries loaded
    debug,    ///< every call, and what is found again
};

struct LogSetting {
    LogLevel level = LogLevel::none;
    bool launches = false;
};

/// Of words that commas separate: at most one level, and the topic "launch". Nothing where there is any other.
std::optional<LogSetting> parse_log(std::string_view text);

/// SINTER_LOG; nothing is logged where it means nothing.
const LogSetting& log_setting();
inline bool logs(LogLevel level) { return log_setting().level >= level; }

/// Writes "sinter warning: text", in one piece. Never throws.
void write_log(LogLevel level, std::string_view text) noexcept;

template <class... A>
void log_line(LogLevel level, fmt::format_string<A...> text, A&&... arguments) noexcept {
    if (!logs(level)) return;
    try {
        write_log(level, fmt::format(text, std::forward<A>(arguments)...));
    } catch (...) {  // there is no memory for it
    }
}

}  // namespace sinter
