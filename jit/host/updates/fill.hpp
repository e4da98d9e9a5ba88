// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays that begin with one element throughout.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::host {

/// Writes `count` elements of `size` bytes with this pattern.
void fill(void* to, std::int64_t count, std::size_t size, std::uint64_t pattern);

}  // namespace sinter::host
