// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Registers hold bit patterns: numbers of any type, zero-extended to 64 bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace driver {

template <class T>
T as(std::uint64_t pattern) {
    T value;
    std::memcpy(&value, &pattern, sizeof value);
    return value;
}

template <class T>
std::uint64_t pattern(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

}  // namespace driver
