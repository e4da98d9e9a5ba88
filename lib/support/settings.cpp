// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/settings.hpp"

#include "support/check.hpp"
#include "support/log.hpp"
#include "support/text/byte_count.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sinter {

namespace {

bool is_anything(std::string_view) { return true; }
bool is_byte_count(std::string_view text) { return parse_byte_count(text).has_value(); }
bool is_switch(std::string_view text) { return text == "on" || text == "off"; }
bool is_effort(std::string_view text) { return text == "quick" || text == "full"; }
bool is_flag(std::string_view text) { return text == "0" || text == "1"; }
bool is_debugger(std::string_view text) { return text == "gdb"; }
bool is_profiler(std::string_view text) { return text == "perf"; }
bool is_ranks(std::string_view text) { return text == "off" || text.starts_with("emulated:"); }
bool is_share(std::string_view text) { return text == "always" || text == "never"; }
bool is_log(std::string_view text) { return parse_log(text).has_value(); }

bool is_positive(std::string_view text) {
    auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return text.size() <= 5 && std::all_of(text.begin(), text.end(), is_digit) && text.find_first_not_of('0') != text.npos;
}

bool is_seconds(std::string_view text) { return text == "off" || is_positive(text); }

bool is_target(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon != text.npos && text.find_first_not_of("0123456789,", colon + 1) != text.npos) return false;
    const std::string_view kind = text.substr(0, colon);
    return kind == "gpu" || kind == "gpu_emulated" || text == "host" || text == "interpreter";
}

bool is_strategy(std::string_view text) {
    constexpr std::string_view known[] = {"none", "greedy_down", "greedy_up", "t2", "optimal"};
    return std::find(std::begin(known), std::end(known), text) != std::end(known);
}

constexpr std::string_view anything = "anything", bytes = "a number of bytes, or one with K, M or G",
                           on_or_off = "on or off", zero_or_one = "0 or 1", always_or_never = "always or never",
                           positive = "a positive number";

struct Setting {
    std::string_view name;
    bool (*means_something)(std::string_view);
    std::string_view values = anything;  ///< what to write instead of a value that means nothing
};

constexpr Setting settings[] = {
    {"SINTER_CACHE", is_switch, on_or_off},
    {"SINTER_CACHE_DIR", is_anything},
    {"SINTER_CACHE_SIZE", is_byte_count, bytes},
    {"SINTER_CODE", is_effort, "quick or full"},
    {"SINTER_CODE_LIMIT", is_byte_count, bytes},
    {"SINTER_DEBUGGER", is_debugger, "gdb"},
    {"SINTER_DUMP", is_anything},
    {"SINTER_FUSION", is_strategy, "none, greedy_down, greedy_up, t2 or optimal"},
    {"SINTER_LOG", is_log, "a level (error, warning, info or debug), launch, or both with a comma between them"},
    {"SINTER_LOOP_KERNELS", is_share, always_or_never},
    {"SINTER_MEMORY_LIMIT", is_byte_count, bytes},
    {"SINTER_PROFILER", is_profiler, "perf"},
    {"SINTER_PTX_DIR", is_anything},
    {"SINTER_RANKS", is_ranks, "off, or emulated:N"},
    {"SINTER_RANKS_TIMEOUT", is_seconds, "a number of seconds, or off"},
    {"SINTER_SHARE", is_share, always_or_never},
    {"SINTER_STEP_TILES", is_positive, positive},
    {"SINTER_TAPE", is_byte_count, bytes},
    {"SINTER_TARGET", is_target, "host, gpu, interpreter or gpu_emulated; or gpu:0,1 for these devices"},
    {"SINTER_THREADS", is_positive, positive},
    {"SINTER_TRANSPORT", is_anything},
    {"SINTER_VERIFY", is_flag, zero_or_one},
    // For this project's own scripts and tests, whose programs inherit them.
    {"SINTER_BLESS", is_anything},
    {"SINTER_DATA", is_anything},
    {"SINTER_RANDOM_COMPILED", is_anything},
    {"SINTER_RANDOM_COUNT", is_anything},
    {"SINTER_RANDOM_SEED", is_anything},
    {"SINTER_RANDOM_STEPS", is_anything},
    {"SINTER_SEED", is_anything},
    {"SINTER_TEST_DRIVER_DEVICES", is_anything},
    {"SINTER_TEST_DRIVER_DROP", is_anything},
    {"SINTER_TEST_DRIVER_FAIL", is_anything},
    {"SINTER_TEST_DRIVER_LIST", is_anything},
    {"SINTER_TEST_DRIVER_SEED", is_anything},
    {"SINTER_WERROR", is_anything},
};

const Setting* find(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(settings), std::end(settings), [&](const Setting& s) { return s.name == name; });
    return found == std::end(settings) ? nullptr : found;
}

/// The number of characters that have to be inserted, deleted or replaced (Wagner and Fischer, The string-to-string
/// correction problem, 1974).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
            diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

std::string_view nearest(std::string_view name) {
    const auto* best = std::min_element(std::begin(settings), std::end(settings), [&](const Setting& a, const Setting& b) {
        return distance(name, a.name) < distance(name, b.name);
    });
    return best->name;
}

}  // namespace

std::string_view setting(std::string_view name) {
    check(find(name) != nullptr, "a setting is in the table of settings");
    const char* value = secure_getenv(std::string(name).c_str());
    return value ? value : "";
}

std::string means_nothing(std::string_view name, std::string_view value) {
    return fmt::format("{}={} means nothing: write {}", name, value, find(name)->values);
}

std::optional<std::string> bad_setting() {
    for (char** variable = environ; variable && *variable; ++variable) {
        const std::string_view text = *variable;
        if (!text.starts_with("SINTER_")) continue;
        const std::size_t end = std::min(text.find('='), text.size());
        const std::string_view name = text.substr(0, end), value = text.substr(std::min(end + 1, text.size()));
        const Setting* known = find(name);
        if (!known) return fmt::format("{} in the environment: there is no such setting; {} is one", name, nearest(name));
        if (!value.empty() && !known->means_something(value)) return means_nothing(name, value);
    }
    return std::nullopt;
}

}  // namespace sinter
