// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/disk_cache.hpp"

#include "support/cache/cache_entry.hpp"
#include "support/cache/hash.hpp"
#include "support/log.hpp"

#include <algorithm>
#include <ctime>
#include <tuple>

namespace sinter {

namespace {

constexpr std::string_view suffix = ".entry", unfinished = ".part";
constexpr std::int64_t hour = 3600;

std::string name_of(std::string_view key) { return digest(key).hex() + std::string(suffix); }

/// Removes the files left behind by writers that died.
void remove_unfinished(const OwnFolder& folder) {
    for (const OwnFolder::Listed& file : folder.list(unfinished))
        if (file.modified + hour < std::time(nullptr)) folder.remove(file.name);
}

/// Sorted by time of last use, the most recent last.
std::vector<OwnFolder::Listed> entries_of(const OwnFolder& folder) {
    std::vector<OwnFolder::Listed> result = folder.list(suffix);
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return std::tie(a.modified, a.name) < std::tie(b.modified, b.name); });
    return result;
}

}  // namespace

DiskCache& DiskCache::shared() {
    static DiskCache* cache = new DiskCache(cache_settings());
    return *cache;
}

std::optional<std::string> DiskCache::find(std::string_view key) const {
    const auto folder = open();
    if (!folder) return std::nullopt;
    const std::string name = name_of(key);
    const std::optional<OwnFile> file = folder->read(name);
    if (!file) return std::nullopt;
    std::optional<std::string> value = decode_entry(file->content, key);
    if (value && file->modified + hour < std::time(nullptr)) folder->mark_used(name);
    return value;
}

void DiskCache::store(std::string_view key, std::string_view value) {
    if (settings_.folder.empty()) return;
    const std::string file = encode_entry(key, value);
    if (file.size() > settings_.limit) return;
    const auto folder = OwnFolder::make(settings_.folder);
    if (folder && folder->replace(name_of(key), unfinished, file)) return account(*folder, file.size());
    if (!warned_.test_and_set())
        log_line(LogLevel::warning, "{}: compiled kernels cannot be kept {}", settings_.folder,
                 folder ? "there" : "in this folder, which is missing or which others may write");
}

std::vector<DiskCache::Entry> DiskCache::entries() const {
    std::vector<Entry> result;
    const auto folder = open();
    if (!folder) return result;
    for (const OwnFolder::Listed& entry : entries_of(*folder)) {
        const std::optional<OwnFile> file = folder->read(entry.name);
        result.push_back({settings_.folder + "/" + entry.name, entry.bytes, entry.modified,
                          file ? entry_key(file->content) : std::nullopt});
    }
    return result;
}

void DiskCache::clear() {
    const std::lock_guard lock(mutex_);
    bytes_.reset();
    const auto folder = open();
    if (!folder) return;
    for (const std::string_view end : {suffix, unfinished})
        for (const OwnFolder::Listed& file : folder->list(end)) folder->remove(file.name);
}

std::optional<OwnFolder> DiskCache::open() const {
    return settings_.folder.empty() ? std::nullopt : OwnFolder::open(settings_.folder);
}

/// Counts the whole folder at the first store and when the limit seems to be reached; then makes room for several more
/// stores.
void DiskCache::account(const OwnFolder& folder, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes_ && *bytes_ + bytes <= settings_.limit) {
        *bytes_ += bytes;
        return;
    }
    remove_unfinished(folder);
    const std::vector<OwnFolder::Listed> all = entries_of(folder);
    bytes_ = 0;
    for (const OwnFolder::Listed& entry : all) *bytes_ += entry.bytes;
    if (*bytes_ <= settings_.limit) return;
    for (const OwnFolder::Listed& entry : all) {
        if (*bytes_ <= settings_.limit / 4 * 3) return;
        folder.remove(entry.name);
        *bytes_ -= entry.bytes;
    }
}

}  // namespace sinter
