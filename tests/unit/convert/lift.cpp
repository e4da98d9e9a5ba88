// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/lift.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <bit>
#include <limits>

using namespace sinter;
using convert::is_lifted;
using convert::LiftedFn;
using detail::Scalar;

namespace {

bool lifts(float v) { return is_lifted({Scalar::f32, std::bit_cast<std::uint32_t>(v)}); }
bool lifts(double v) { return is_lifted({Scalar::f64, std::bit_cast<std::uint64_t>(v)}); }

LiftedFn lifted(const char* text) {
    LiftedFn made = convert::lift(ir::parse_fn(text));
    ir::verify(made.fn);
    return made;
}
std::string print_lifted(const char* text) { return ir::print(lifted(text).fn); }
std::string normal(const char* text) { return ir::print(ir::parse_fn(text)); }

}  // namespace

TEST_CASE("lift: which literals", "[convert]") {
    for (float v : {0.f, -0.f, 1.f, -1.f, 2.f, -2.f, .5f, -.5f, std::numeric_limits<float>::infinity(), std::nanf("")})
        CHECK_FALSE((lifts(v) || lifts(double(v))));
    for (float v : {3.f, 0.25f, 4.f, -1.5f, 1e-30f, 1.0000001f}) CHECK((lifts(v) && lifts(double(v))));
    CHECK_FALSE(is_lifted({Scalar::f16, 0x3c00}));
    CHECK(is_lifted({Scalar::f16, 0x3c01}));
    CHECK_FALSE(is_lifted({Scalar::i8, 0xf0}));  // -16
    CHECK(is_lifted({Scalar::i8, 0xef}));        // -17
    CHECK(is_lifted({Scalar::u8, 0xf0}));        // 240
    CHECK_FALSE(is_lifted({Scalar::i64, 16}));
    CHECK(is_lifted({Scalar::i64, 17}));
    CHECK_FALSE(is_lifted({Scalar::boolean, 1}));
}

TEST_CASE("lift: literals become the last parameters, equal ones share one", "[convert]") {
    const char* fn =
        "{x0: f32, x1: f32 -> x2: f32 = constant 2.5; x3 = mul x0 x2; x4: f32 = constant 2; x5 = add x3 x4; "
        "x6: f32 = constant 2.5; x7 = sub x5 x6; x8: f32 = constant 7; x9 = mul x7 x8; x9}";
    CHECK(print_lifted(fn) == normal("{x0: f32, x1: f32, x2: f32, x3: f32 -> x4 = mul x0 x2; x5: f32 = constant 2; "
                                     "x6 = add x4 x5; x7 = sub x6 x2; x8 = mul x7 x3; x8}"));
    CHECK(lifted(fn).literals.size() == 2);
    CHECK(lifted(fn).literals[0].bits == std::bit_cast<std::uint32_t>(2.5f));
}

TEST_CASE("lift: divisors and shift counts stay", "[convert]") {
    const char* divisor = "{x0: i32 -> x1: i32 = constant 100; x2 = div x0 x1; x3 = add x2 x1; x3}";
    CHECK(print_lifted(divisor) == normal(divisor));
    CHECK(print_lifted("{x0: i32 -> x1: i32 = constant 100; x2 = div x1 x0; x2}") ==
          normal("{x0: i32, x1: i32 -> x2 = div x1 x0; x2}"));
    const char* shift = "{x0: i64 -> x1: i64 = constant 33; x2 = shift_left x0 x1; x2}";
    CHECK(print_lifted(shift) == normal(shift));
    CHECK(print_lifted("{x0: f32 -> x1: f32 = constant 3; x2 = div x0 x1; x2}") ==
          normal("{x0: f32, x1: f32 -> x2 = div x0 x1; x2}"));
}

TEST_CASE("lift: out of nested blocks, which are renumbered", "[convert]") {
    CHECK(print_lifted(
              "{x0: bool, x1: f32 -> x2: f32 = constant 1; x3: f32 = cond x0 {-> x3: f32 = constant 9; x4 = mul x1 x3; x4} "
              "{-> x3 = negate x2; x3}; x4 = add x3 x2; x4}") ==
          normal("{x0: bool, x1: f32, x2: f32 -> x3: f32 = constant 1; x4: f32 = cond x0 {-> x4 = mul x1 x2; x4} "
                 "{-> x4 = negate x3; x4}; x5 = add x4 x3; x5}"));
    CHECK(print_lifted(
              "{x0: f32 -> x1: i64 = constant 50; x2: f32 = for_loop x1 x0 {x2: i64, x3: f32 -> x4: f32 = constant 1.5; "
              "x5 = mul x3 x4; x5}; x2}") ==
          normal("{x0: f32, x1: i64, x2: f32 -> x3: f32 = for_loop x1 x0 {x3: i64, x4: f32 -> x5 = mul x4 x2; x5}; x3}"));
}

TEST_CASE("lift: a literal that is a result", "[convert]") {
    CHECK(print_lifted("{x0: f32 -> x1: f32 = constant 9; x1, x0}") == normal("{x0: f32, x1: f32 -> x1, x0}"));
    CHECK_FALSE(convert::has_lifted_literals(ir::parse_fn("{x0: f32 -> x1: f32 = constant 1; x1}")));
}

TEST_CASE("lift: a function full of coefficients keeps them", "[convert]") {
    auto sum_of = [](int literals) {
        std::string text = "{x0: f32 -> ";
        int last = 0;
        for (int k = 0; k < literals; ++k) {
            const int level = last + 1;
            text += fmt::format("x{}: f32 = constant {}.25; x{} = add x{} x{}; ", level, k + 3, level + 1, last, level);
            last = level + 1;
        }
        return text + fmt::format("x{}}}", last);
    };
    CHECK(lifted(sum_of(32).c_str()).literals.size() == 32);
    CHECK(lifted(sum_of(33).c_str()).literals.empty());
    CHECK(print_lifted(sum_of(33).c_str()) == normal(sum_of(33).c_str()));
}
