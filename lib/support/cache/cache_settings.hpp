// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the disk cache is and how large it may become, as the environment says.
#pragma once

#include <cstdint>
#include <string>

namespace sinter {

struct CacheSettings {
    std::string folder;       ///< empty: there is no cache
    std::uint64_t limit = 0;  ///< bytes
};

/// $SINTER_CACHE_DIR, else $XDG_CACHE_HOME/sinter, else ~/.cache/sinter; SINTER_CACHE=off: none. Limit: SINTER_CACHE_SIZE,
/// else 256 MiB.
CacheSettings cache_settings();

}  // namespace sinter
