// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of the disk cache: each has a key and its value, so that neither damaged nor foreign files are mistaken for
/// entries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// Encodes a header with lengths and a checksum, the key, and the value.
std::string encode_entry(std::string_view key, std::string_view value);

/// The value, if `file` is complete and undamaged and is the entry of exactly this key.
std::optional<std::string> decode_entry(std::string_view file, std::string_view key);

/// The key of a complete and undamaged entry.
std::optional<std::string> entry_key(std::string_view file);

}  // namespace sinter
