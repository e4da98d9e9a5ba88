// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of bytes in the form in which people write them in the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

/// Parses "4096", "64K", "256M", "2G" (powers of 1024). Nothing for any other text.
std::optional<std::uint64_t> parse_byte_count(std::string_view text);

/// The value of an environment variable. Nothing if it is not set or has no meaning.
std::optional<std::uint64_t> byte_count_setting(const char* variable);

}  // namespace sinter
