// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sequential loops are folds, and which reduce each of them is.
#include "lower/as_reduce.hpp"

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
    return lower::as_reduce(kernel.body.insts[2], 4);
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

namespace {

void check_exact(const std::string& before, const std::string& after) {
    const std::string head = "kernel k\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : i32[s0] in\nbuffer 1 : i32[s1] out\nspace";
    REQUIRE(lower::print(lower::with_exact_folds(lower::parse(head + before))) == lower::print(lower::parse(head + after)));
}

}  // namespace

TEST_CASE("at a single point, a loop that combines integers exactly is a reduce", "[schedule]") {
    const std::string start = "\n{-> x0 = size #0; x1: i32 = constant 0; x2: i64 = constant 0; ";
    check_exact(start +
                    "x3: i32 = for_loop x0 x1 {x3: i64, x4: i32 -> x5: i32 = load #0 x3; x6 = maximum x5 x4; x6}; store #1 "
                    "x2 x3;}",
                start +
                    "x3: i64 = constant 0; x4 = maximum x0 x3; x5: i32 = reduce #257 x4 x1 {x5: i64 -> x6: i32 = load #0 "
                    "x5; x6} {x5: i32, x6: i32 -> x7 = maximum x6 x5; x7}; store #1 x2 x5;}");
    const std::string several =
        start +
        "x3: i32, x4: i32 = for_loop x0 x1 x1 {x3: i64, x4: i32, x5: i32 -> x6: i32 = load #0 x3; x7 "
        "= mul x6 x6; x8 = add x5 x7; x9 = bit_xor x4 x6; ";
    const std::string stored = "}; x5 = add x3 x4; store #1 x2 x5;}";
    check_exact(
        several + "x9, x8" + stored,
        start +
            "x3: i64 = constant 0; x4 = maximum x0 x3; x5: i32, x6: i32 = reduce #257 x4 x1 x1 {x5: i64 -> x6: i32 = "
            "load #0 x5; x7 = mul x6 x6; x6, x7} {x5: i32, x6: i32, x7: i32, x8: i32 -> x9 = add x6 x8; x10 = bit_xor "
            "x5 x7; x10, x9}; x7 = add x5 x6; store #1 x2 x7;}");
    check_exact(several + "x8, x9" + stored, several + "x8, x9" + stored);  // states that change places
    for (const char* step :
         {"x6 = sub x4 x5; x6", "x6 = sub x5 x4; x6", "x6 = add x4 x4; x6", "x6 = mul x4 x5; x7 = add x6 x5; x7"}) {
        const std::string same =
            start + "x3: i32 = for_loop x0 x1 {x3: i64, x4: i32 -> x5: i32 = load #0 x3; " + step + "}; store #1 x2 x3;}";
        check_exact(same, same);
    }
    const std::string points =
        " s0\n{x0: i64 -> x1 = size #0; x2: i32 = constant 0; x3: i32 = for_loop x1 x2 {x3: i64, x4: i32 -> "
        "x5: i32 = load #0 x3; x6 = add x4 x5; x6}; store #1 x0 x3;}";
    check_exact(points, points);
}
