// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/fill.hpp"

#include <algorithm>

namespace sinter::host {

namespace {

template <class T>
void fill_as(void* to, std::int64_t count, std::uint64_t pattern) {
    std::fill_n(static_cast<T*>(to), count, static_cast<T>(pattern));
}

}  // namespace

void fill(void* to, std::int64_t count, std::size_t size, std::uint64_t pattern) {
    switch (size) {
        case 1:
            return fill_as<std::uint8_t>(to, count, pattern);
        case 2:
            return fill_as<std::uint16_t>(to, count, pattern);
        case 4:
            return fill_as<std::uint32_t>(to, count, pattern);
        default:
            return fill_as<std::uint64_t>(to, count, pattern);
    }
}

}  // namespace sinter::host
