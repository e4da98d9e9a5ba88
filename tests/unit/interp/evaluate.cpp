// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar semantics: the edges of every type, and every f16 value.
#include "ir/evaluate.hpp"

#include "support/half.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

using namespace sinter;
using ir::evaluate;
using ir::Op;
using ir::Scalar;

namespace {

std::uint64_t binary(Op op, Scalar type, std::uint64_t a, std::uint64_t b) {
    std::uint64_t values[] = {a, b};
    Scalar types[] = {type, type};
    return evaluate(op, type, types, values);
}

std::uint64_t unary(Op op, Scalar type, std::uint64_t a) {
    return evaluate(op, type, std::span(&type, 1), std::span(&a, 1));
}

std::uint64_t cast(Scalar to, Scalar from, std::uint64_t bits) {
    return evaluate(Op::cast, to, std::span(&from, 1), std::span(&bits, 1));
}

std::uint64_t f32(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t f64(double x) { return std::bit_cast<std::uint64_t>(x); }

constexpr Scalar integers[] = {Scalar::i8, Scalar::i16, Scalar::i32, Scalar::i64,
                               Scalar::u8, Scalar::u16, Scalar::u32, Scalar::u64};

}  // namespace

TEST_CASE("integers wrap at their width") {
    for (Scalar type : integers) {
        int width = detail::bits_of(type);
        std::uint64_t ones = ~0ULL >> (64 - width), top = 1ULL << (width - 1);
        CHECK(binary(Op::add, type, ones, 1) == 0);
        CHECK(binary(Op::sub, type, 0, 1) == ones);
        CHECK(binary(Op::mul, type, top, 2) == 0);
        CHECK(unary(Op::negate, type, top) == top);
        CHECK(unary(Op::bit_not, type, 0) == ones);
        CHECK(unary(Op::popcount, type, ones) == static_cast<std::uint64_t>(width));
        CHECK(unary(Op::clz, type, 0) == static_cast<std::uint64_t>(width));
        CHECK(unary(Op::ctz, type, 0) == static_cast<std::uint64_t>(width));
        CHECK(unary(Op::clz, type, 1) == static_cast<std::uint64_t>(width - 1));
        CHECK(unary(Op::ctz, type, top) == static_cast<std::uint64_t>(width - 1));
        CHECK(binary(Op::shift_left, type, 1, static_cast<std::uint64_t>(width + 1)) == 2);
        bool is_signed = detail::is_signed_integer(type);
        CHECK(binary(Op::shift_right, type, top, static_cast<std::uint64_t>(width - 1)) == (is_signed ? ones : 1));
        CHECK(binary(Op::less, type, ones, 0) == is_signed);
        CHECK(binary(Op::greater_equal, type, ones, 0) == !is_signed);
        CHECK(binary(Op::minimum, type, ones, 1) == (is_signed ? ones : 1));
        CHECK(binary(Op::maximum, type, ones, 1) == (is_signed ? 1 : ones));
        CHECK(unary(Op::abs, type, ones) == (is_signed ? 1 : ones));
        CHECK(unary(Op::abs, type, top) == top);
    }
}

TEST_CASE("integer division truncates, wraps at MIN / -1, and gives 0 by 0") {
    for (Scalar type : {Scalar::i8, Scalar::i16, Scalar::i32, Scalar::i64}) {
        std::uint64_t top = 1ULL << (detail::bits_of(type) - 1), minus_one = ir::from_int64(type, -1);
        CHECK(binary(Op::div, type, top, minus_one) == top);
        CHECK(binary(Op::rem, type, top, minus_one) == 0);
        CHECK(binary(Op::div, type, ir::from_int64(type, -7), 2) == ir::from_int64(type, -3));
        CHECK(binary(Op::rem, type, ir::from_int64(type, -7), 2) == minus_one);
        CHECK(binary(Op::rem, type, 7, ir::from_int64(type, -2)) == 1);
    }
    for (Scalar type : integers) {
        CHECK(binary(Op::div, type, 5, 0) == 0);
        CHECK(binary(Op::rem, type, 5, 0) == 0);
    }
    CHECK(binary(Op::div, Scalar::u8, 0xff, 2) == 0x7f);
}

TEST_CASE("indices beyond an axis are moved into it") {
    auto row = [](Op op, int n) {
        std::string text;
        for (int i = -7; i < 9; ++i)
            text += std::to_string(binary(op, Scalar::i64, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(n)));
        return text;
    };
    CHECK(row(Op::wrap, 4) == "1230123012301230");
    CHECK(row(Op::symmetric, 4) == "1233210012332100");
    CHECK(row(Op::reflect, 4) == "1012321012321012");
    CHECK(row(Op::symmetric, 2) == "1100110011001100");
    CHECK(row(Op::reflect, 2) == "1010101010101010");
    for (Op op : {Op::wrap, Op::symmetric, Op::reflect})
        for (int n : {1, 0, -1}) CHECK(row(op, n) == std::string(16, '0'));
}

TEST_CASE("minimum and maximum propagate NaN, fmin and fmax ignore it, -0 is before +0") {
    float nan = std::numeric_limits<float>::quiet_NaN();
    for (auto [op, other] : {std::pair(Op::minimum, Op::fmin), std::pair(Op::maximum, Op::fmax)}) {
        for (auto [a, b] : {std::pair(nan, 1.f), std::pair(1.f, nan)}) {
            CHECK(std::isnan(ir::to_double(Scalar::f32, binary(op, Scalar::f32, f32(a), f32(b)))));
            CHECK(binary(other, Scalar::f32, f32(a), f32(b)) == f32(1.f));
        }
        CHECK(std::isnan(ir::to_double(Scalar::f32, binary(other, Scalar::f32, f32(nan), f32(nan)))));
    }
    for (auto [a, b] : {std::pair(0.f, -0.f), std::pair(-0.f, 0.f)}) {
        for (Op op : {Op::minimum, Op::fmin}) CHECK(binary(op, Scalar::f32, f32(a), f32(b)) == f32(-0.f));
        for (Op op : {Op::maximum, Op::fmax}) CHECK(binary(op, Scalar::f32, f32(a), f32(b)) == f32(0.f));
    }
    CHECK(binary(Op::minimum, Scalar::f64, f64(-1), f64(2)) == f64(-1));
}

TEST_CASE("floating point: signs, rounding, remainder, fma") {
    CHECK(unary(Op::negate, Scalar::f32, f32(0.f)) == f32(-0.f));
    CHECK(unary(Op::abs, Scalar::f64, f64(-0.0)) == f64(0.0));
    CHECK(binary(Op::copysign, Scalar::f64, f64(3), f64(-0.0)) == f64(-3));
    CHECK(unary(Op::round, Scalar::f32, f32(2.5f)) == f32(3.f));
    CHECK(unary(Op::round, Scalar::f32, f32(-2.5f)) == f32(-3.f));
    CHECK(unary(Op::rint, Scalar::f32, f32(2.5f)) == f32(2.f));
    CHECK(unary(Op::rint, Scalar::f64, f64(-0.4)) == f64(-0.0));
    CHECK(unary(Op::round, Scalar::f32, f32(0.49999997f)) == f32(0.f));
    CHECK(unary(Op::trunc, Scalar::f64, f64(-1.7)) == f64(-1));
    CHECK(binary(Op::rem, Scalar::f32, f32(-7.5f), f32(2.f)) == f32(-1.5f));
    CHECK(std::isinf(ir::to_double(Scalar::f32, binary(Op::div, Scalar::f32, f32(1), f32(0)))));
    double a = 1 + 0x1p-30, product_error = std::fma(a, a, -(a * a));
    std::uint64_t values[] = {f64(a), f64(a), f64(-(a * a))};
    Scalar types[] = {Scalar::f64, Scalar::f64, Scalar::f64};
    CHECK(product_error != 0);
    CHECK(evaluate(Op::fma, Scalar::f64, types, values) == f64(product_error));
}

TEST_CASE("comparisons with NaN are false, but not_equal") {
    std::uint64_t nan = f64(std::numeric_limits<double>::quiet_NaN());
    for (Op op : {Op::equal, Op::less, Op::less_equal, Op::greater, Op::greater_equal})
        CHECK(binary(op, Scalar::f64, nan, nan) == 0);
    CHECK(binary(Op::not_equal, Scalar::f64, nan, nan) == 1);
    CHECK(binary(Op::equal, Scalar::f64, f64(0.0), f64(-0.0)) == 1);
}

TEST_CASE("casts from floats truncate and saturate") {
    for (Scalar type : integers) {
        int width = detail::bits_of(type);
        bool is_signed = detail::is_signed_integer(type);
        std::uint64_t ones = ~0ULL >> (64 - width);
        std::uint64_t highest = is_signed ? ones >> 1 : ones, lowest = is_signed ? highest + 1 : 0;
        CHECK(cast(type, Scalar::f64, f64(std::numeric_limits<double>::quiet_NaN())) == 0);
        CHECK(cast(type, Scalar::f64, f64(std::numeric_limits<double>::infinity())) == highest);
        CHECK(cast(type, Scalar::f64, f64(-std::numeric_limits<double>::infinity())) == lowest);
        CHECK(cast(type, Scalar::f32, f32(std::ldexp(1.f, width - is_signed))) == highest);
        CHECK(cast(type, Scalar::f64, f64(-std::ldexp(1.0, width))) == lowest);
        CHECK(cast(type, Scalar::f32, f32(-0.9f)) == 0);
        CHECK(cast(type, Scalar::f32, f32(100.9f)) == 100);
    }
    CHECK(cast(Scalar::i8, Scalar::f32, f32(-128.9f)) == 0x80);
    CHECK(cast(Scalar::i8, Scalar::f32, f32(-127.9f)) == 0x81);
    CHECK(cast(Scalar::u64, Scalar::f64, f64(0x1p63)) == 1ULL << 63);
}

TEST_CASE("other casts") {
    CHECK(cast(Scalar::u64, Scalar::i8, 0xff) == ~0ULL);
    CHECK(cast(Scalar::i16, Scalar::u8, 0xff) == 0xff);
    CHECK(cast(Scalar::i8, Scalar::i32, 0x1ff) == 0xff);
    CHECK(cast(Scalar::boolean, Scalar::i32, 0x100) == 1);
    CHECK(cast(Scalar::boolean, Scalar::f32, f32(-0.f)) == 0);
    CHECK(cast(Scalar::boolean, Scalar::f64, f64(std::numeric_limits<double>::quiet_NaN())) == 1);
    CHECK(cast(Scalar::f64, Scalar::boolean, 1) == f64(1));
    CHECK(cast(Scalar::f32, Scalar::u64, ~0ULL) == f32(0x1p64f));
    CHECK(cast(Scalar::f32, Scalar::i64, static_cast<std::uint64_t>(-16777217)) == f32(-16777216.f));
    CHECK(cast(Scalar::f64, Scalar::i8, 0x80) == f64(-128));
    CHECK(cast(Scalar::f32, Scalar::f64, f64(1 + 0x1p-24)) == f32(1.f));
    CHECK(cast(Scalar::f32, Scalar::f64, f64(1 + 0x1p-24 + 0x1p-50)) == f32(1 + 0x1p-23f));
}

TEST_CASE("f16: every value converts there and back; arithmetic is f32 rounded") {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        float value = float_from_half(static_cast<std::uint16_t>(bits));
        if (std::isnan(value)) {
            CHECK((half_from(static_cast<double>(value)) & 0x7fff) > 0x7c00);
        } else {
            REQUIRE(half_from(static_cast<double>(value)) == bits);
        }
    }
    CHECK(half_from(65504) == 0x7bff);
    CHECK(half_from(65519.99) == 0x7bff);
    CHECK(half_from(65520) == 0x7c00);
    CHECK(half_from(-1e300) == 0xfc00);
    CHECK(half_from(0x1p-24) == 1);
    CHECK(half_from(0x1p-25) == 0);
    CHECK(half_from(0x1.0000001p-25) == 1);
    CHECK(half_from(1.5 * 0x1p-24) == 2);
    CHECK(half_from(-0.0) == 0x8000);
    CHECK(half_from(1 + 0x1p-11) == 0x3c00);
    CHECK(half_from(1 + 0x1p-11 + 0x1p-40) == 0x3c01);
    CHECK(half_from(0x1.ffcp-15 + 0x1p-25) == 0x0400);
    CHECK(binary(Op::add, Scalar::f16, half_from(2048), half_from(1)) == half_from(2048));
    CHECK(binary(Op::mul, Scalar::f16, half_from(300), half_from(300)) == 0x7c00);
    CHECK(cast(Scalar::f16, Scalar::i64, 65519) == 0x7bff);
    CHECK(cast(Scalar::i32, Scalar::f16, half_from(-2.75)) == ir::from_int64(Scalar::i32, -2));
}

TEST_CASE("half_from rounds to nearest even: compared with the neighbours") {
    std::mt19937_64 random(7);
    for (int k = 0; k < 20000; ++k) {
        auto mantissa = static_cast<double>(random() >> 11);
        double x = std::ldexp(mantissa, static_cast<int>(random() % 44) - 53 - 26);
        std::uint16_t rounded = half_from(x);
        auto error = [&](int bits) {
            return std::abs(static_cast<double>(float_from_half(static_cast<std::uint16_t>(bits))) - x);
        };
        if (rounded >= 0x7bff) continue;
        REQUIRE(error(rounded) <= error(rounded + 1));
        if (rounded > 0) REQUIRE(error(rounded) <= error(rounded - 1));
        if (error(rounded) == error(rounded + 1)) REQUIRE(rounded % 2 == 0);
    }
}

TEST_CASE("select, bit_cast and booleans") {
    std::uint64_t values[] = {0, 5, 7};
    Scalar types[] = {Scalar::boolean, Scalar::i32, Scalar::i32};
    CHECK(evaluate(Op::select, Scalar::i32, types, values) == 7);
    std::uint64_t one = f32(1.f);
    Scalar from = Scalar::f32;
    CHECK(evaluate(Op::bit_cast, Scalar::i32, std::span(&from, 1), std::span(&one, 1)) == 0x3f800000);
    CHECK(unary(Op::bit_not, Scalar::boolean, 1) == 0);
    CHECK(binary(Op::bit_xor, Scalar::boolean, 1, 1) == 0);
    CHECK(binary(Op::equal, Scalar::boolean, 1, 1) == 1);
}
