// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Code for elements of any width, whose size is a constant where it is compiled.
#pragma once

#include <sinter/detail/scalar.hpp>

#include <cstdint>

namespace sinter {

/// f(a std::uint8_t to std::uint64_t as wide as the type).
template <class F>
auto with_width_of(detail::Scalar scalar, F f) {
    switch (detail::size_of(scalar)) {
        case 1:
            return f(std::uint8_t{});
        case 2:
            return f(std::uint16_t{});
        case 4:
            return f(std::uint32_t{});
        default:
            return f(std::uint64_t{});
    }
}

}  // namespace sinter
