// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/tool.hpp>

#include "commands.hpp"

#include <cstdio>
#include <ctime>

namespace tool {

int cache_list() {
    for (const sinter::detail::CacheEntry& entry : sinter::detail::cache_state().entries) {
        const std::time_t used = entry.used;
        char date[32] = "";
        std::strftime(date, sizeof date, "%F %H:%M", std::localtime(&used));
        std::printf("%s %9llu %-8s %s\n", date, static_cast<unsigned long long>(entry.bytes), entry.kind.c_str(),
                    entry.path.c_str());
    }
    return 0;
}

int cache_size() {
    const sinter::detail::CacheState state = sinter::detail::cache_state();
    std::uint64_t bytes = 0;
    for (const sinter::detail::CacheEntry& entry : state.entries) bytes += entry.bytes;
    if (state.folder.empty())
        std::puts("there is no cache: SINTER_CACHE is off, or there is no home directory");
    else
        std::printf("%s: %zu entries, %llu of %llu bytes\n", state.folder.c_str(), state.entries.size(),
                    static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(state.limit));
    return 0;
}

int cache_clear() {
    sinter::detail::clear_cache();
    return 0;
}

}  // namespace tool
