// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Registers hold bit patterns: numbers of any type, zero-extended to 64 bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace driver {

template <std::size_t bytes>
using Bits = std::conditional_t<bytes == 8, std::uint64_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint16_t>>;

template <class T>
T as(std::uint64_t pattern) {
    return std::bit_cast<T>(static_cast<Bits<sizeof(T)>>(pattern));
}

template <class T>
std::uint64_t pattern(T value) {
    return std::bit_cast<Bits<sizeof(T)>>(value);
}

}  // namespace driver
