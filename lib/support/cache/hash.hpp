// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hashing of canonical texts (XXH3, 128 bits: collisions are not expected, but cache entries still compare the text).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter {

struct Digest {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Digest&) const = default;
    /// 32 hexadecimal digits.
    std::string hex() const;
};

Digest digest(std::string_view text);

}  // namespace sinter
