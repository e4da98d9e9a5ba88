// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_LOG: reports what the library does and what it cannot do, as lines on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace sinter {

/// Each level includes those before it.
enum class LogLevel : std::uint8_t {
    none,
    error,    ///< what calls throw
    warning,  ///< what continues, but slower or elsewhere than it should
    info,     ///< what happens once: programs are planned, code is generated, libraries are loaded
    debug,    ///< every call, and what is found in caches
};

struct LogSetting {
    LogLevel level = LogLevel::none;
    bool launches = false;
};

/// Parses words separated by commas: at most one level, and the topic "launch". Nothing if there is anything else.
std::optional<LogSetting> parse_log(std::string_view text);

/// The value of SINTER_LOG; if it has no meaning, nothing is logged.
const LogSetting& log_setting();
inline bool logs(LogLevel level) { return log_setting().level >= level; }

/// Writes "sinter warning: text" in one piece. Never throws.
void write_log(LogLevel level, std::string_view text) noexcept;

template <class... A>
void log_line(LogLevel level, fmt::format_string<A...> text, A&&... arguments) noexcept {
    if (!logs(level)) return;
    try {
        write_log(level, fmt::format(text, std::forward<A>(arguments)...));
    } catch (...) {  // there is no memory to log with
    }
}

}  // namespace sinter
