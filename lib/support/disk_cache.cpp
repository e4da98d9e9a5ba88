// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/disk_cache.hpp"

#include "support/cache_entry.hpp"
#include "support/file.hpp"
#include "support/hash.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <tuple>

namespace sinter {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".entry", unfinished = ".part";
constexpr std::int64_t hour = 3600;

bool ends_with(const fs::path& path, std::string_view end) { return path.native().ends_with(end); }

/// Files of the folder whose names end so.
std::vector<DiskCache::Entry> list(const std::string& folder, std::string_view end) {
    std::vector<DiskCache::Entry> result;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), last; !error && it != last; it.increment(error)) {
        struct stat status;
        if (!ends_with(it->path(), end) || lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
        result.push_back({it->path().native(), static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec});
    }
    return result;
}

/// What writers that died have left.
void remove_unfinished(const std::string& folder) {
    for (const DiskCache::Entry& file : list(folder, unfinished))
        if (file.used + hour < std::time(nullptr)) unlink(file.path.c_str());
}

void make_folder(const std::string& folder) {
    std::error_code error;
    if (fs::create_directories(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
}

}  // namespace

DiskCache& DiskCache::shared() {
    static DiskCache* cache = new DiskCache(cache_settings());
    return *cache;
}

std::string DiskCache::path(std::string_view key) const {
    return settings_.folder + "/" + digest(key).hex() + std::string(suffix);
}

std::optional<std::string> DiskCache::find(std::string_view key) const {
    if (settings_.folder.empty()) return std::nullopt;
    const std::string name = path(key);
    const std::optional<OwnFile> file = read_own_file(name);
    if (!file) return std::nullopt;
    std::optional<std::string> value = decode_entry(file->content, key);
    if (value && file->modified + hour < std::time(nullptr)) mark_used(name);
    return value;
}

void DiskCache::store(std::string_view key, std::string_view value) {
    if (settings_.folder.empty()) return;
    const std::string file = encode_entry(key, value);
    if (file.size() > settings_.limit) return;
    make_folder(settings_.folder);
    if (replace_file(path(key), unfinished, file)) account(file.size());
}

std::vector<DiskCache::Entry> DiskCache::entries() const {
    std::vector<Entry> result = list(settings_.folder, suffix);
    std::sort(result.begin(), result.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
    return result;
}

void DiskCache::clear() {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries()) unlink(entry.path.c_str());
    for (const Entry& part : list(settings_.folder, unfinished)) unlink(part.path.c_str());
    bytes_.reset();
}

/// Counts the whole folder at the first store, and when the limit seems to be reached; then makes room for some more stores.
void DiskCache::account(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes_ && *bytes_ + bytes <= settings_.limit) {
        *bytes_ += bytes;
        return;
    }
    remove_unfinished(settings_.folder);
    const std::vector<Entry> all = entries();
    bytes_ = 0;
    for (const Entry& entry : all) *bytes_ += entry.bytes;
    if (*bytes_ <= settings_.limit) return;
    for (const Entry& entry : all) {
        if (*bytes_ <= settings_.limit / 4 * 3) return;
        unlink(entry.path.c_str());
        *bytes_ -= entry.bytes;
    }
}

}  // namespace sinter
