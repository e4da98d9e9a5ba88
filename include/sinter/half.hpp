// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// half: IEEE binary16 as a storage type. C++ arithmetic on it is float arithmetic; inside functions given to
/// combinators Exp<half> is rounded to half after every operation.
#pragma once

#include <sinter/detail/half_bits.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sinter {

class half {
  public:
    constexpr half() = default;
    /// Rounds once, to nearest even.
    template <class A>
        requires std::is_arithmetic_v<A>
    constexpr half(A value) : bits_(detail::half_from(static_cast<double>(value))) {}

    /// The conversion is exact.
    constexpr operator float() const { return detail::float_from_half(bits_); }

    constexpr std::uint16_t bits() const { return bits_; }
    static constexpr half from_bits(std::uint16_t bits) {
        half h;
        h.bits_ = bits;
        return h;
    }

  private:
    std::uint16_t bits_ = 0;
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);

}  // namespace sinter
