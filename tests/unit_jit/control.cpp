// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <fmt/format.h>

using namespace jit_test;

namespace {

const std::vector<std::vector<std::int64_t>> lengths = {{1}, {7}, {8}, {33}, {100}, {1000}};

std::string map_text(const std::string& type, const std::string& body) {
    return fmt::format(
        "kernel control\nsize s0 = a0\nbuffer 0 : {0}[s0] in\nbuffer 1 : {0}[s0] out\ncheck 0 : index 0\nspace s0\n"
        "{{x0: i64 ->\nx1: {0} = load #0 x0;\n{1};}}\n",
        type, body);
}

}  // namespace

TEST_CASE("cond: both sides cheap, one side reads, nested") {
    check_kernel(map_text("f32",
                          "x2: f32 = constant 1; x3 = less x1 x2; x4: f32 = cond x3 {-> x4 = add x1 x2; x4} {-> x4 = mul x1 "
                          "x1; x4}; store #1 x0 x4"),
                 lengths);
    check_kernel(map_text("f32",
                          "x2: i64 = constant 0; x3 = greater x0 x2; x4: f32 = cond x3 {-> x4: i64 = constant 1; x5 = sub "
                          "x0 x4; x6: f32 = load #0 x5; x6} {-> x1}; store #1 x0 x4"),
                 lengths);
    check_kernel(map_text("u8",
                          "x2: i64 = constant 0; x3 = greater x0 x2; x4: u8 = cond x3 {-> x4: i64 = constant 1; x5 = sub x0 "
                          "x4; x6: u8 = load #0 x5; x6} {-> x1}; store #1 x0 x4"),
                 lengths);
    check_kernel(
        map_text(
            "f32",
            "x2: f32 = constant 0; x3 = less x1 x2; x4: f32, x5: bool = cond x3 {-> x4: f32 = constant -2; x5 = less x1 x4; "
            "x6: f32 = cond x5 {-> x6: i64 = constant 5; x7 = rem x0 x6; x8: i64 = size #0; x9 = minimum x7 x8; x10: i64 = "
            "constant 1; x11 = sub x8 x10; x12 = minimum x9 x11; x13: f32 = load #0 x12; x13} {-> x6 = sqrt x1; x7 = sqrt "
            "x6; x8 = sqrt x7; x8}; x6, x5} "
            "{-> x4 = sqrt x1; x5 = less x4 x1; x6 = mul x4 x4; x7 = sqrt x6; x8 = sqrt x7; x8, x5}; x6: f32 = constant 9; "
            "x7 = select x5 x4 x6; store #1 x0 x7"),
        lengths);
}

TEST_CASE("cond all lanes agree on, under an index") {
    check_kernel(map_text("f32",
                          "x2: i64 = size #0; x3: i64 = constant 50; x4 = less x2 x3; x5: f32, x6: i64 = cond x4 {-> x5: "
                          "f32 = constant 2; x5, x2} {-> x5 = mul x1 x1; x5, x0}; "
                          "x7: f32 = cast x6; x8 = add x7 x5; store #1 x0 x8"),
                 lengths);
}

TEST_CASE("while: lanes end at different times") {
    check_kernel(map_text("i32",
                          "x2: i32 = constant 0; x3: i32 = constant 100; x4: i32, x5: i32 = while_loop x1 x2 {x4: i32, x5: "
                          "i32 -> x6: i32 = constant 100; x7 = less x4 x6; x8: i32 = constant -100; x9 = greater x4 x8; x10 "
                          "= bit_and x7 x9; x11: i32 = constant 20; x12 = less x5 x11; x13 = bit_and x10 x12; x13} "
                          "{x4: i32, x5: i32 -> x6 = add x4 x4; x7: i32 = constant 1; x8 = add x5 x7; x9 = add x6 x7; x9, "
                          "x8}; x6 = mul x4 x3; x7 = add x6 x5; store #1 x0 x7"),
                 lengths, Fill::small);
    check_kernel(
        map_text("f64",
                 "x2: i64 = constant 0; x3: f64 = constant 50; x4: f64, x5: i64 = while_loop x1 x2 {x4: f64, x5: i64 -> x6: "
                 "i64 = constant 30; x7 = less x5 x6; x8 = less x4 x3; x9 = bit_and x7 x8; x9} "
                 "{x4: f64, x5: i64 -> x6: i64 = constant 1; x7 = add x5 x6; x8: i64 = size #0; x9 = rem x5 x8; x10: f64 = "
                 "load #0 x9; x11 = abs x10; x12 = add x4 x11; x12, x7}; x6: f64 = cast x5; store #1 x0 x6"),
        lengths, Fill::small);
}

TEST_CASE("while: what is the same in all lanes still going, and kept when one ends") {
    const auto counting = [](const char* counter, const char* limit) {
        return map_text("f64",
                        fmt::format("x2: {0} = constant 0; x3: bool = constant false; x4: {0}, x5: bool, x6: f64 = "
                                    "while_loop x2 x3 x1 {{x4: {0}, x5: bool, x6: f64 -> x7: {0} = constant {1}; x8 "
                                    "= less x4 x7; x9: f64 = constant 9; x10 = less x6 x9; x11 = bit_and x8 x10; "
                                    "x11}} {{x4: {0}, x5: bool, x6: f64 -> x7: {0} = constant 1; x8 = add x4 x7; x9 = "
                                    "bit_not x5; x10 = add x6 x6; x8, x9, x10}}; x7: f64 = cast x4; x8: f64 = cast "
                                    "x5; x9 = add x7 x8; store #1 x0 x9",
                                    counter, limit));
    };
    for (const char* counter : {"i8", "u16", "i32", "i64", "f32", "f64"}) {
        check_kernel(counting(counter, "11"), lengths, Fill::small);
        check_kernel(counting(counter, "0"), lengths, Fill::small);
#ifdef __x86_64__
        const auto wide = sinter::host::make_host_backend({512, sinter::codegen::Effort::full});
        CHECK(wide->texts(sinter::lower::parse(counting(counter, "11"))).assembly.find("zmm") != std::string::npos);
#endif
    }
}

TEST_CASE("loops all lanes execute alike") {
    check_kernel(map_text("f32",
                          "x2: i64 = constant 10; x3: f32 = for_loop x2 x1 {x3: i64, x4: f32 -> x5: f32 = cast x3; x6 = add "
                          "x4 x5; x6}; store #1 x0 x3"),
                 lengths);
    check_kernel(
        map_text(
            "f32",
            "x2: i64 = constant 0; x3: f32, x4: i64 = while_loop x1 x2 {x3: f32, x4: i64 -> x5: i64 = constant 5; x6 = less "
            "x4 x5; x6} {x3: f32, x4: i64 -> x5: i64 = constant 1; x6 = add x4 x5; x7 = mul x3 x1; x7, x6}; store #1 x0 x3"),
        lengths);
}

TEST_CASE("for with a count of its own in every lane, inside a cond") {
    check_kernel(map_text("i64",
                          "x2: i64 = constant 0; x3 = less x2 x1; x4: i64 = cond x3 {-> x4: i64 = for_loop x1 x2 {x4: i64, "
                          "x5: i64 -> x6 = add x4 x5; x7 = add x6 x1; x7}; x4} {-> x1}; store #1 x0 x4"),
                 lengths, Fill::small);
    check_kernel(map_text("i32",
                          "x2: i64 = cast x1; x3: bool = constant false; x4: i32, x5: bool = for_loop x2 x1 x3 {x4: i64, "
                          "x5: i32, x6: bool -> x7: i32 = cast x4; x8 = add x7 x5; x9 = bit_not x6; x8, x9}; x6: i32 = cast "
                          "x5; x7 = add x6 x4; store #1 x0 x7"),
                 lengths, Fill::small);
}

TEST_CASE("checks under masks concern active lanes only") {
    check_kernel(
        map_text("f32",
                 "x2: i64 = size #0; x3: i64 = constant 1; x4 = add x0 x3; x5 = less x4 x2; x6: f32 = cond x5 {-> x6 = "
                 "check_index #0 x4 x2; x7: f32 = load #0 x6; x7} {-> x6: f32 = constant 0; x6}; store #1 x0 x6"),
        lengths);
    check_kernel(
        map_text("f32",
                 "x2: i64 = size #0; x3: i64 = constant 1; x4 = add x0 x3; x5 = less_equal x4 x2; x6: f32 = cond x5 {-> x6 "
                 "= check_index #0 x4 x2; x7: f32 = load #0 x6; x7} {-> x6: f32 = constant 0; x6}; store #1 x0 x6"),
        lengths);
}
