// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/cache_entry.hpp"

#include "support/cache/hash.hpp"

#include <cstdint>
#include <cstring>

namespace sinter {

namespace {

struct Header {
    char magic[8] = {'s', 'i', 'n', 't', 'e', 'r', ' ', '1'};
    std::uint64_t key_bytes = 0, value_bytes = 0;
    Digest checksum;  ///< of key and value, as they are in the file
};

struct Entry {
    std::string_view key, value;
};

/// Nothing if the file is damaged.
std::optional<Entry> split(std::string_view file) {
    Header header;
    if (file.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, file.data(), sizeof header);
    if (std::memcmp(header.magic, Header().magic, sizeof header.magic) != 0) return std::nullopt;
    const std::string_view content = file.substr(sizeof header);
    if (header.key_bytes > content.size() || header.value_bytes != content.size() - header.key_bytes) return std::nullopt;
    if (header.checksum != digest(content)) return std::nullopt;
    return Entry{content.substr(0, header.key_bytes), content.substr(header.key_bytes)};
}

}  // namespace

std::string encode_entry(std::string_view key, std::string_view value) {
    std::string file(sizeof(Header), '\0');
    file.append(key).append(value);
    Header header;
    header.key_bytes = key.size();
    header.value_bytes = value.size();
    header.checksum = digest(std::string_view(file).substr(sizeof header));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

std::optional<std::string> entry_key(std::string_view file) {
    const std::optional<Entry> entry = split(file);
    return entry ? std::optional<std::string>(entry->key) : std::nullopt;
}

std::optional<std::string> decode_entry(std::string_view file, std::string_view key) {
    const std::optional<Entry> entry = split(file);
    return entry && entry->key == key ? std::optional<std::string>(entry->value) : std::nullopt;
}

}  // namespace sinter
