// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scalar element types, shared by the public headers and the library.
#pragma once

#include <cstdint>

namespace sinter::detail {

/// The types that the IR knows. Every element type that a user sees is a product of these.
enum class Scalar : std::uint8_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 };

inline constexpr int scalar_count = 12;

/// The number of bytes that one scalar occupies in an array. A boolean is one byte, 0 or 1.
constexpr int size_of(Scalar s) {
    constexpr int sizes[scalar_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    return sizes[static_cast<int>(s)];
}

constexpr bool is_boolean(Scalar s) { return s == Scalar::boolean; }
constexpr bool is_float(Scalar s) { return s >= Scalar::f16; }
constexpr bool is_signed_integer(Scalar s) { return s >= Scalar::i8 && s <= Scalar::i64; }
constexpr bool is_unsigned_integer(Scalar s) { return s >= Scalar::u8 && s <= Scalar::u64; }
constexpr bool is_integer(Scalar s) { return s >= Scalar::i8 && s <= Scalar::u64; }

/// The number of value bits of a scalar: 1 for a boolean, else 8 times its size.
constexpr int bits_of(Scalar s) { return is_boolean(s) ? 1 : 8 * size_of(s); }

/// Its name in the text form: "bool", "i8", ..., "f64".
constexpr const char* name_of(Scalar s) {
    constexpr const char* names[scalar_count] = {"bool", "i8",  "i16", "i32", "i64", "u8",
                                                 "u16",  "u32", "u64", "f16", "f32", "f64"};
    return names[static_cast<int>(s)];
}

}  // namespace sinter::detail
