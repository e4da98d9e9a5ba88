// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Deflate (RFC 1951), as used in .npz and .png files, and the checksums around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::runtime {

/// Decompresses the data; nothing if it is damaged or expands to more than `most` bytes.
std::optional<std::vector<unsigned char>> inflate(std::span<const unsigned char> data, std::size_t most);

/// Compresses the data.
std::vector<unsigned char> deflate(std::span<const unsigned char> data);

/// Checksums of data that follows data with the sum `before` (RFC 1952, section 8; RFC 1950, section 8.2).
std::uint32_t crc32(std::span<const unsigned char> data, std::uint32_t before = 0);
/// The sum of data with the sum `first` and of the `bytes` bytes with the sum `second` that follow it.
std::uint32_t crc32_of_both(std::uint32_t first, std::uint32_t second, std::uint64_t bytes);
std::uint32_t adler32(std::span<const unsigned char> data);

}  // namespace sinter::runtime
