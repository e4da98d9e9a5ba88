// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the command line tool needs from the library. Definitions: lib/run/tool.cpp.
#pragma once

#include <sinter/detail/export.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinter::detail {

struct CacheEntry {
    std::string path;
    std::string kind;  ///< "kernel" or "object"
    std::uint64_t bytes;
    std::int64_t used;  ///< seconds since 1970, to an hour
};
struct CacheState {
    std::string folder;   ///< empty: there is no cache
    std::uint64_t limit;  ///< bytes
    std::vector<CacheEntry> entries;
};
SINTER_API CacheState cache_state();
SINTER_API void clear_cache();

/// Pairs of name and value: versions, the processor, the cache, the GPU driver.
SINTER_API std::vector<std::pair<std::string, std::string>> diagnose();

/// Measured numbers by name: lib/run/calibration.hpp.
SINTER_API std::map<std::string, double> load_calibration();
SINTER_API bool store_calibration(const std::map<std::string, double>& numbers);
/// The costs of sharing loops among threads: lib/run/threads/thread_costs.hpp.
SINTER_API std::map<std::string, double> measure_threads();

}  // namespace sinter::detail
