// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of the disk cache: a key and its value, so that neither damage nor a foreign file can pass for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// A header with lengths and a checksum, the key, the value.
std::string encode_entry(std::string_view key, std::string_view value);

/// The value, if `file` is whole and undamaged and the entry of exactly this key.
std::optional<std::string> decode_entry(std::string_view file, std::string_view key);

/// The key of a whole and undamaged entry.
std::optional<std::string> entry_key(std::string_view file);

}  // namespace sinter
