// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/tool.hpp>

#include "commands.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <string>

namespace tool {

namespace {

using sinter::detail::CacheEntry;
using sinter::detail::CacheState;

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::uint64_t total(const CacheState& state) {
    std::uint64_t bytes = 0;
    for (const CacheEntry& entry : state.entries) bytes += entry.bytes;
    return bytes;
}

/// A date in the form of ISO 8601.
std::string date_of(std::int64_t seconds, const char* format) {
    const std::time_t used = seconds;
    char date[32] = "";
    std::strftime(date, sizeof date, format, std::localtime(&used));
    return date;
}

}  // namespace

int cache_list(Format format) {
    const CacheState state = sinter::detail::cache_state();
    nlohmann::json list = nlohmann::json::array();
    for (const CacheEntry& entry : state.entries) {
        if (format == Format::text)
            std::printf("%s %9llu %-8s %s\n", date_of(entry.used, "%F %H:%M").c_str(),
                        static_cast<unsigned long long>(entry.bytes), entry.kind.c_str(), entry.path.c_str());
        list.push_back(
            {{"used", date_of(entry.used, "%FT%T%z")}, {"bytes", entry.bytes}, {"kind", entry.kind}, {"file", entry.path}});
    }
    if (format == Format::json) std::puts(list.dump(2).c_str());
    return 0;
}

int cache_size(Format format) {
    const CacheState state = sinter::detail::cache_state();
    const std::uint64_t bytes = total(state);
    if (format == Format::json) {
        const nlohmann::json folder = state.folder.empty() ? nlohmann::json() : nlohmann::json(state.folder);
        const nlohmann::json size{
            {"folder", folder}, {"entries", state.entries.size()}, {"bytes", bytes}, {"limit", state.limit}};
        std::puts(size.dump(2).c_str());
    } else if (state.folder.empty()) {
        std::puts("There is no cache: SINTER_CACHE is off, or there is no home directory.");
    } else {
        std::printf("%s: %zu entries, %.1f of %.0f MiB (%llu bytes)\n", state.folder.c_str(), state.entries.size(),
                    mebibytes(bytes), mebibytes(state.limit), static_cast<unsigned long long>(bytes));
    }
    return 0;
}

int cache_clear() {
    const CacheState before = sinter::detail::cache_state();
    sinter::detail::clear_cache();
    const CacheState after = sinter::detail::cache_state();
    std::printf("Removed %zu entries, %.1f MiB.\n", before.entries.size() - after.entries.size(),
                mebibytes(total(before) - total(after)));
    return 0;
}

}  // namespace tool
