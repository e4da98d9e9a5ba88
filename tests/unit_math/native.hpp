// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The value type of lib/ir/math on plain C++ scalars: what the definitions compute, at native speed.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace sinter::ir::math {

template <class T>
struct Native {
    T value;
    Native() = default;
    Native(T v) : value(v) {}

#define SINTER_ARITHMETIC(op) \
    friend Native operator op(Native a, Native b) { return static_cast<T>(a.value op b.value); }
    SINTER_ARITHMETIC(+)
    SINTER_ARITHMETIC(-)
    SINTER_ARITHMETIC(*)
    SINTER_ARITHMETIC(/)
    // clang-format off
    friend Native operator&(Native a, Native b) requires std::is_integral_v<T> { return static_cast<T>(a.value & b.value); }
    friend Native operator|(Native a, Native b) requires std::is_integral_v<T> { return static_cast<T>(a.value | b.value); }
    friend Native operator^(Native a, Native b) requires std::is_integral_v<T> { return static_cast<T>(a.value ^ b.value); }
    friend Native operator<<(Native a, Native b) requires std::is_integral_v<T> { return static_cast<T>(a.value << (b.value & (8 * sizeof(T) - 1))); }
    friend Native operator>>(Native a, Native b) requires std::is_integral_v<T> { return static_cast<T>(a.value >> (b.value & (8 * sizeof(T) - 1))); }
    friend Native operator!(Native a) requires std::is_same_v<T, bool> { return !a.value; }
    // clang-format on
#undef SINTER_ARITHMETIC
    friend Native operator-(Native a) { return static_cast<T>(-a.value); }
    friend Native<bool> operator<(Native a, Native b) { return a.value < b.value; }
    friend Native<bool> operator<=(Native a, Native b) { return a.value <= b.value; }
    friend Native<bool> operator>(Native a, Native b) { return a.value > b.value; }
    friend Native<bool> operator>=(Native a, Native b) { return a.value >= b.value; }
    friend Native<bool> operator==(Native a, Native b) { return a.value == b.value; }
    friend Native<bool> operator!=(Native a, Native b) { return a.value != b.value; }

    friend Native scale(Native a, Native n) {
        return std::isnan(n.value) ? n.value : std::ldexp(a.value, static_cast<int>(n.value));
    }
    friend Native fma(Native a, Native b, Native c) { return std::fma(a.value, b.value, c.value); }
    friend Native sqrt(Native a) { return std::sqrt(a.value); }
    friend Native abs(Native a) { return std::fabs(a.value); }
    friend Native copysign(Native a, Native b) { return std::copysign(a.value, b.value); }
    friend Native rint(Native a) { return std::nearbyint(a.value); }
    friend Native floor(Native a) { return std::floor(a.value); }
    friend Native trunc(Native a) { return std::trunc(a.value); }
    friend Native select(Native<bool> c, Native a, Native b) { return c.value ? a : b; }
};

template <class U, class T>
Native<U> as(Native<T> a) {
    return std::bit_cast<U>(a.value);
}

/// Numbers in range only.
template <class U, class T>
Native<U> to(Native<T> a) {
    return static_cast<U>(a.value);
}

template <class Then, class Otherwise>
auto cond(Native<bool> condition, Then then, Otherwise otherwise) -> decltype(then()) {
    if (condition.value) return then();
    return otherwise();
}

}  // namespace sinter::ir::math
