// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sequential loops are folds, and which reduce each of them is.
#include "schedule/ways/ordered_fold.hpp"

#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

/// The locals before the last instruction of the body but the store are x0, x1 (indices), x2 (a size) and x3 (a number).
lower::Kernel kernel_of(const std::string& loop) {
    return lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f32[s0] in\nbuffer 1 : f32[s0] out\nspace s1 s0\n"
        "{x0: i64, x1: i64 -> x2 = size #0; x3: f32 = constant 0; " +
        loop + " store #1 x1 x4;}");
}

std::optional<lower::Inst> found(const std::string& loop) {
    const lower::Kernel kernel = kernel_of(loop);
    return schedule::as_reduce(kernel.body.insts[2], 4);
}

void check_is(const std::string& loop, const std::string& reduce) {
    const auto result = found(loop);
    REQUIRE(result);
    lower::Kernel got = kernel_of(loop);
    got.body.insts[2] = *result;
    REQUIRE(lower::print(got) == lower::print(kernel_of(reduce)));
}

}  // namespace

TEST_CASE("a loop whose steps add what does not depend on the state is a fold", "[schedule]") {
    check_is("x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6: f32 = load #0 x4; x7 = mul x6 x6; x8 = add x5 x7; x8};",
             "x4: f32 = reduce #1 x2 x3 {x4: i64 -> x5: f32 = load #0 x4; x6 = mul x5 x5; x6} {x4: f32, x5: f32 -> x6 = add "
             "x4 x5; "
             "x6};");
}

TEST_CASE("constants go where they are needed", "[schedule]") {
    check_is(
        "x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6: f32 = load #0 x4; x7: f32 = constant 2; x8 = mul x5 x7; x9 = sub "
        "x6 "
        "x8; x9};",
        "x4: f32 = reduce #1 x2 x3 {x4: i64 -> x5: f32 = load #0 x4; x6: f32 = constant 2; x5} {x4: f32, x5: f32 -> x6: f32 "
        "= "
        "constant 2; x7 = mul x4 x6; x8 = sub x5 x7; x8};");
}

TEST_CASE("a nest that hands on the state is a fold along several axes", "[schedule]") {
    check_is(
        "x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6 = add x4 x1; x7: f32 = for_loop x1 x5 {x7: i64, x8: f32 -> x9 = "
        "add x6 "
        "x7; x10: f32 = load #0 x9; x11 = add x8 x10; x11}; x7};",
        "x4: f32 = reduce #2 x2 x1 x3 {x4: i64, x5: i64 -> x6 = add x4 x1; x7 = add x6 x5; x8: f32 = load #0 x7; x8} {x4: "
        "f32, "
        "x5: f32 -> x6 = add x4 x5; x6};");
}

TEST_CASE("several states are combined with values of their types", "[schedule]") {
    check_is(
        "x4: f32, x5: i64 = for_loop x2 x3 x0 {x4: i64, x5: f32, x6: i64 -> x7: f32 = load #0 x4; x8 = add x4 x1; x9 = add "
        "x6 x8; "
        "x10 = maximum x5 x7; x10, x9};",
        "x4: f32, x5: i64 = reduce #1 x2 x3 x0 {x4: i64 -> x5: f32 = load #0 x4; x6 = add x4 x1; x5, x6} {x4: f32, x5: i64, "
        "x6: "
        "f32, x7: i64 -> x8 = add x5 x7; x9 = maximum x4 x6; x9, x8};");
}

TEST_CASE("other loops are no folds", "[schedule]") {
    // Two values for one state; none; an element that is read where the state says; a check of the state; an inner loop that
    // begins anew, or whose extent is another one each time.
    REQUIRE_FALSE(
        found("x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6: f32 = load #0 x4; x7: f32 = load #0 x1; x8 = mul x5 "
              "x6; x9 = add x8 x7; x9};"));
    REQUIRE_FALSE(found("x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6 = add x5 x5; x6};"));
    REQUIRE_FALSE(
        found("x4: f32, x5: i64 = for_loop x2 x3 x0 {x4: i64, x5: f32, x6: i64 -> x7: f32 = load #0 x6; x8 = add x5 x7; "
              "x9 = add x6 x4; x8, x9};"));
    REQUIRE_FALSE(
        found("x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6: f32 = for_loop x1 x3 {x6: i64, x7: f32 -> x8: f32 = load "
              "#0 x6; x9 = add x7 x8; x9}; x7 = add x5 x6; x7};"));
    REQUIRE_FALSE(
        found("x4: f32 = for_loop x2 x3 {x4: i64, x5: f32 -> x6: f32 = for_loop x4 x5 {x6: i64, x7: f32 -> x8: f32 = load "
              "#0 x6; x9 = add x7 x8; x9}; x6};"));
}
