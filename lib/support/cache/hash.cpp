// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/hash.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sinter {

Digest digest(std::string_view text) {
    XXH128_hash_t h = XXH3_128bits(text.data(), text.size());
    return {h.low64, h.high64};
}

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

}  // namespace sinter
