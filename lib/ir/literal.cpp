// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/literal.hpp"

#include "support/half.hpp"

#include <bit>
#include <charconv>

namespace sinter::ir {

namespace {

using detail::Scalar;

template <class T>
void append_number(std::string& out, T value) {
    char text[64];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::uint64_t mask_of_bytes(Scalar type) {
    int bits = 8 * detail::size_of(type);
    return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

bool is_finite(Scalar type, std::uint64_t bits) {
    std::uint64_t exponent = type == Scalar::f16 ? 0x7c00u : type == Scalar::f32 ? 0x7f800000u : 0x7ff0000000000000u;
    return (bits & exponent) != exponent;
}

/// The value as a half; nothing unless `value` is exactly a half.
std::optional<std::uint64_t> half_of_float(float value) {
    std::uint16_t half = half_from(value);
    if (float_from_half(half) != value) return std::nullopt;
    return half;
}

std::optional<std::uint64_t> parse_bits(Scalar type, std::string_view digits) {
    std::uint64_t bits = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || (bits & ~mask_of_bytes(type)) != 0)
        return std::nullopt;
    return bits;
}

std::optional<std::uint64_t> parse_float(Scalar type, std::string_view text) {
    if (text.starts_with("0x")) return parse_bits(type, text.substr(2));
    if (type == Scalar::f64) {
        auto value = parse_number<double>(text);
        return value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt;
    }
    auto value = parse_number<float>(text);
    if (!value) return std::nullopt;
    return type == Scalar::f16 ? half_of_float(*value) : std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(*value));
}

void append_hexadecimal(std::string& out, std::uint64_t bits) {
    char text[32];
    out += "0x";
    out.append(text, std::to_chars(text, text + sizeof text, bits, 16).ptr);
}

std::int64_t sign_extended(Scalar type, std::uint64_t bits) {
    int unused = 64 - 8 * detail::size_of(type);
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

void append_literal(std::string& out, Scalar type, std::uint64_t bits) {
    if (type == Scalar::boolean && bits <= 1)
        out += bits == 0 ? "false" : "true";
    else if (detail::is_float(type) && !is_finite(type, bits))
        append_hexadecimal(out, bits);
    else if (type == Scalar::f16)
        append_number(out, float_from_half(static_cast<std::uint16_t>(bits)));
    else if (type == Scalar::f32)
        append_number(out, std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    else if (type == Scalar::f64)
        append_number(out, std::bit_cast<double>(bits));
    else if (detail::is_signed_integer(type))
        append_number(out, sign_extended(type, bits));
    else
        append_number(out, bits);
}

std::optional<std::uint64_t> parse_literal(Scalar type, std::string_view text) {
    if (type == Scalar::boolean) {
        if (text != "true" && text != "false") return std::nullopt;
        return text == "true" ? 1 : 0;
    }
    if (detail::is_float(type)) return parse_float(type, text);
    if (detail::is_signed_integer(type)) {
        auto value = parse_number<std::int64_t>(text);
        if (!value || sign_extended(type, static_cast<std::uint64_t>(*value)) != *value) return std::nullopt;
        return static_cast<std::uint64_t>(*value) & mask_of_bytes(type);
    }
    auto value = parse_number<std::uint64_t>(text);
    if (!value || (*value & ~mask_of_bytes(type)) != 0) return std::nullopt;
    return *value;
}

}  // namespace sinter::ir
