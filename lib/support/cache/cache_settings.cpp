// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/cache_settings.hpp"

#include "support/settings.hpp"
#include "support/text/byte_count.hpp"

#include <cstdlib>
#include <string_view>

namespace sinter {

namespace {

constexpr std::uint64_t default_limit = std::uint64_t{256} << 20;

std::string environment(const char* name) {
    const char* text = secure_getenv(name);
    return text ? text : "";
}

std::string folder() {
    if (setting("SINTER_CACHE") == "off") return "";
    if (const std::string_view own = setting("SINTER_CACHE_DIR"); !own.empty()) return std::string(own);
    // The XDG base directory specification says that a relative XDG_CACHE_HOME has to be ignored.
    if (std::string base = environment("XDG_CACHE_HOME"); base.starts_with('/')) return base + "/sinter";
    if (std::string home = environment("HOME"); home.starts_with('/')) return home + "/.cache/sinter";
    return "";
}

}  // namespace

CacheSettings cache_settings() { return {folder(), byte_count_setting("SINTER_CACHE_SIZE").value_or(default_limit)}; }

}  // namespace sinter
