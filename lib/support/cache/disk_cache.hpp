// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeps what was made once for later processes: a folder of files, each named by the digest of its key.
///
/// Any number of processes may share a folder: a file is written under another name and renamed when it is complete, so it
/// is there as a whole or not at all. Files are checked when they are read (cache_entry.hpp); a damaged one counts as
/// missing and is replaced by the next store. They contain machine code, so only files and folders are used that belong to
/// this user or the system and that nobody else may write (own_folder.hpp).
#pragma once

#include "support/cache/cache_settings.hpp"
#include "support/cache/own_folder.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

/// Thread-safe. A folder that cannot be read or written, or a full disk, is not an error: then nothing is found or kept.
class DiskCache {
  public:
    /// The cache of the process, at the place that the environment gives. Never destroyed.
    static DiskCache& shared();

    explicit DiskCache(CacheSettings settings) : settings_(std::move(settings)) {}

    std::optional<std::string> find(std::string_view key) const;
    /// If the cache becomes larger than its limit, removes what has not been used for longest.
    void store(std::string_view key, std::string_view value);

    struct Entry {
        std::string path;
        std::uint64_t bytes;
        std::int64_t used;               ///< when it was made or last found, in seconds since 1970, to an hour
        std::optional<std::string> key;  ///< nothing if the entry is damaged
    };
    /// Sorted by time of last use, the most recent last. Other files in the folder are not listed.
    std::vector<Entry> entries() const;
    /// Removes all entries, but no other file.
    void clear();

    const CacheSettings& settings() const { return settings_; }
    /// The folder; nothing if there is none or if others may write it.
    std::optional<OwnFolder> open() const;

  private:
    void account(const OwnFolder& folder, std::uint64_t bytes);

    CacheSettings settings_;
    std::atomic_flag warned_;  ///< it has been reported that nothing can be kept
    std::mutex mutex_;
    std::optional<std::uint64_t> bytes_;  ///< of all entries at the last count, plus those stored since
};

}  // namespace sinter
