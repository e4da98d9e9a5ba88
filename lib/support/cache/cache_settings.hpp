// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The location of the disk cache and the limit of its size, from the environment.
#pragma once

#include <cstdint>
#include <string>

namespace sinter {

struct CacheSettings {
    std::string folder;       ///< empty if there is no cache
    std::uint64_t limit = 0;  ///< bytes
};

/// $SINTER_CACHE_DIR, else $XDG_CACHE_HOME/sinter, else ~/.cache/sinter; none with SINTER_CACHE=off. The limit is
/// SINTER_CACHE_SIZE, else 256 MiB.
CacheSettings cache_settings();

}  // namespace sinter
