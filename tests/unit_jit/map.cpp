// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include "ir/op.hpp"

#include <fmt/format.h>

using namespace jit_test;

namespace {

const std::vector<std::vector<std::int64_t>> lengths = {{0},  {1},  {3},  {4},  {7},   {8},   {9},
                                                        {31}, {32}, {33}, {63}, {100}, {257}, {1000}};

constexpr const char* names[] = {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"};

bool fits(const sinter::ir::OpInfo& op, Scalar s) {
    using sinter::ir::Domain;
    using namespace sinter::detail;
    switch (op.domain) {
        case Domain::number:
            return !is_boolean(s);
        case Domain::integer:
            return is_integer(s);
        case Domain::floating:
            return is_float(s);
        case Domain::bits:
            return !is_float(s);
        case Domain::any:
            return true;
    }
    return false;
}

std::string map_text(const std::string& from, const std::string& to, int inputs, const std::string& body) {
    std::string text = "kernel map\nsize s0 = a0\n";
    for (int k = 0; k < inputs; ++k) text += fmt::format("buffer {} : {}[s0] in\n", k, from);
    text += fmt::format("buffer {} : {}[s0] out\ncheck 0 : divisor\nspace s0\n{{x0: i64 ->\n", inputs, to);
    for (int k = 0; k < inputs; ++k) text += fmt::format("x{}: {} = load #{} x0;\n", k + 1, from, k);
    return text + body + ";}\n";
}

}  // namespace

TEST_CASE("saxpy") {
    check_kernel(
        "kernel saxpy\nsize s0 = a0\nsize s1 = 1\nbuffer 0 : f32[s1] in\nbuffer 1 : f32[s0] in\nbuffer 2 : f32[s0] in\n"
        "buffer 3 : f32[s0] out\nspace s0\n{x0: i64 -> x1: i64 = constant 0; x2: f32 = load #0 x1; x3: f32 = load #1 x0;\n"
        "x4: f32 = load #2 x0; x5 = mul x2 x3; x6 = add x5 x4; store #3 x0 x6;}\n",
        lengths);
}

TEST_CASE("every operation of one and two operands on every type") {
    for (int op = 0; op <= static_cast<int>(sinter::ir::Op::greater_equal); ++op) {
        const auto& info = sinter::ir::info(static_cast<sinter::ir::Op>(op));
        if (info.name == "scale") continue;  // not of every operand: below
        for (int s = 0; s < 12; ++s) {
            if (!fits(info, static_cast<Scalar>(s))) continue;
            const bool boolean = info.result == sinter::ir::ResultRule::boolean;
            const std::string type = names[s], result = boolean ? "bool" : type;
            const bool divides =
                !sinter::detail::is_float(static_cast<Scalar>(s)) && (info.name == "div" || info.name == "rem");
            std::string body, operands;
            int next = info.arity + 1;
            for (int k = 1; k <= info.arity; ++k) operands += fmt::format(" x{}", k);
            if (divides) {  // zeros become 1
                body = fmt::format("x3: {0} = constant 0; x4 = equal x2 x3; x5: {0} = constant 1; x6 = select x4 x5 x2;\n",
                                   type);
                operands = " x1 x6";
                next = 7;
            }
            body += fmt::format("x{0} = {1}{2}; store #{3} x0 x{0}", next, info.name, operands, info.arity);
            check_kernel(map_text(type, result, info.arity, body), {{200}, {37}});
        }
    }
}

TEST_CASE("maps against the grain") {
    for (const char* type : names) {
        const std::string text = fmt::format(
            "kernel transpose\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : {0}[s2] in\n"
            "buffer 1 : {0}[s2] in\nbuffer 2 : {0}[s2] out\nspace s0 s1\n"
            "{{x0: i64, x1: i64 -> x2 = size #0; x3 = mul x1 x2; x4 = add x3 x0; x5: {0} = load #0 x4; x6 = size #1;\n"
            "x7 = mul x0 x6; x8 = add x7 x1; x9: {0} = load #1 x8; x10 = less x4 x8; x11 = select x10 x5 x9;\n"
            "store #2 x8 x11;}}\n",
            type);
        check_kernel(text, {{1, 1}, {4, 4}, {16, 16}, {7, 40}, {40, 7}, {33, 70}, {70, 33}, {64, 128}});
    }
}

TEST_CASE("scaling by all powers of two") {
    for (const auto& [type, bias] : {std::pair("f32", 127), std::pair("f64", 1023)})
        for (const char* number : {"1.0", "1.37", "0.71", "0.03125", "1.9999999"}) {
            const std::string body = fmt::format(
                "x2: i64 = constant {}; x3 = sub x0 x2; x4: {} = cast x3; x5: {} = constant {};\nx6 = copysign x5 x1; "
                "x7 = scale x6 x4; store #1 x0 x7",
                2 * bias - 1, type, type, number);
            check_kernel(map_text(type, type, 1, body), {{4 * bias - 1}, {bias}, {5}});
        }
}

TEST_CASE("every cast") {
    for (const char* from : names)
        for (const char* to : names)
            check_kernel(map_text(from, to, 1, fmt::format("x2: {} = cast x1; store #1 x0 x2", to)), {{300}, {5}});
}

TEST_CASE("select, minimum with constants, mixed widths") {
    check_kernel(map_text("f32", "f32", 2,
                          "x3 = less x1 x2; x4 = select x3 x1 x2; x5: f32 = constant 0; x6 = maximum x4 x5; "
                          "x7: f32 = constant 1; x8 = minimum x7 x6; x9 = maximum x5 x8; x10: f32 = constant -0.0; "
                          "x11 = minimum x9 x10; x12 = add x11 x8; store #2 x0 x12"),
                 lengths);
    check_kernel(map_text("u8", "f64", 1, "x2: f32 = cast x1; x3 = sqrt x2; x4: f64 = cast x3; store #1 x0 x4"), lengths);
    check_kernel(map_text("i64", "f32", 1,
                          "x2: f32 = cast x0; x3: f64 = cast x0; x4: i32 = cast x0; x5: f32 = cast x4; x6: f32 = cast x3; "
                          "x7 = add x2 x5; x8 = add x7 x6; x9: f32 = cast x1; x10 = add x8 x9; store #1 x0 x10"),
                 lengths);
}

TEST_CASE("index comparisons") {
    for (const char* op : {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
        check_kernel(map_text("f32", "f32", 1,
                              fmt::format("x2: i64 = constant 13; x3 = {0} x0 x2; x4 = {0} x2 x0; x5: f32 = constant 2; "
                                          "x6 = select x3 x1 x5; x7 = select x4 x6 x1; x8 = add x6 x7; store #1 x0 x8",
                                          op)),
                     lengths);
}

TEST_CASE("index division") {
    check_kernel(
        map_text("f32", "i64", 1,
                 "x2: i64 = constant 7; x3 = div x0 x2; x4: i64 = size #0; x5 = add x4 x2; x6 = rem x0 x5; x7 = div x6 x4; "
                 "x8 = mul x3 x7; x9 = add x8 x6; store #1 x0 x9"),
        lengths);
}

TEST_CASE("strides") {
    const std::string text =
        "kernel strides\nsize s0 = a0\nsize s1 = 3\nsize s2 = (s0 * s1)\nbuffer 0 : {0}[s2] in\nbuffer 1 : {0}[s0] "
        "out\nbuffer 2 : {0}[s2] out\n"
        "space s0\n{{x0: i64 -> x1: i64 = constant 3; x2 = mul x0 x1; x3: {0} = load #0 x2; x4: i64 = size #0; x5: i64 = "
        "constant 1; "
        "x6 = sub x4 x5; x7 = sub x6 x0; x8: {0} = load #0 x7; x9 = add x3 x8; store #1 x7 x9; store #2 x2 x9; x10 = add x2 "
        "x5; store #2 x10 x3; "
        "x11 = add x10 x5; store #2 x11 x8;}}\n";
    for (const char* type : {"f32", "f64", "i16", "u8"}) check_kernel(fmt::format(fmt::runtime(text), type), lengths);
}

TEST_CASE("rank 2: rows and a broadcast") {
    check_kernel(
        "kernel rows\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : f32[s2] in\nbuffer 1 : f32[s0] in\nbuffer "
        "2 : f32[s1] in\n"
        "buffer 3 : f32[s2] out\nspace s0 s1\n{x0: i64, x1: i64 -> x2: i64 = size #1; x3 = mul x0 x2; x4 = add x3 x1; x5: "
        "f32 = load #0 x4; "
        "x6: f32 = load #1 x0; x7: f32 = load #2 x1; x8 = mul x5 x6; x9 = add x8 x7; store #3 x4 x9;}\n",
        {{0, 5}, {5, 0}, {1, 1}, {3, 5}, {7, 33}, {2, 100}, {40, 8}, {1, 1000}});
}

TEST_CASE("rank 3 transposed") {
    check_kernel(
        "kernel transpose\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = (s0 * s1)\nsize s4 = (s3 * s2)\nbuffer 0 : "
        "i32[s4] in\n"
        "buffer 1 : i32[s4] out\nspace s0 s1 s2\n{x0: i64, x1: i64, x2: i64 -> x3: i64 = size #1; x4: i64 = size #2; x5: "
        "i64 = size #0; "
        "x6 = mul x0 x3; x7 = add x6 x1; x8 = mul x7 x4; x9 = add x8 x2; x10 = mul x2 x3; x11 = add x10 x1; x12 = mul x11 "
        "x5; x13 = add x12 x0; "
        "x14: i32 = load #0 x13; store #1 x9 x14;}\n",
        {{1, 1, 1}, {3, 4, 5}, {2, 3, 40}, {5, 1, 9}});
}

TEST_CASE("gather with checks") {
    const std::string text =
        "kernel gather\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : i64[s0] in\nbuffer 1 : {0}[s1] in\nbuffer 2 : {0}[s0] "
        "out\ncheck 0 : index 0\nspace s0\n"
        "{{x0: i64 -> x1: i64 = load #0 x0; x2: i64 = constant 3; x3 = add x1 x2; x4: i64 = size #1; x5 = check_index #0 x3 "
        "x4; x6: {0} = load #1 x5; store #2 x0 x6;}}\n";
    for (const char* type : {"f32", "u8", "f64", "bool"})
        check_kernel(fmt::format(fmt::runtime(text), type), {{0, 7}, {1, 7}, {9, 7}, {100, 7}, {33, 20}, {50, 5}, {64, 3}},
                     Fill::small);
}

TEST_CASE("checked neighbours") {
    check_kernel(
        "kernel next\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : f32[s1] in\nbuffer 1 : f32[s0] out\ncheck 0 : index 0\nspace "
        "s0\n"
        "{x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x3: i64 = size #1; x4 = check_index #0 x2 x3; x5: f32 = load #0 "
        "x4; store #1 x0 x5;}\n",
        {{1, 2}, {8, 9}, {31, 32}, {100, 101}, {100, 100}, {33, 10}, {5, 5}, {1, 1}});
}

TEST_CASE("checked divisors") {
    const std::string text =
        "kernel divide\nsize s0 = a0\nbuffer 0 : {0}[s0] in\nbuffer 1 : {0}[s0] out\ncheck 0 : divisor\nspace s0\n"
        "{{x0: i64 -> x1: {0} = load #0 x0; x2: {0} = constant 4; x3 = add x1 x2; x4 = check_divisor #0 x3; x5 = div x2 x4; "
        "store #1 x0 x5; x6 = check_divisor #0 x1;}}\n";
    for (const char* type : {"i32", "u8", "i64"})
        check_kernel(fmt::format(fmt::runtime(text), type), {{1}, {2}, {3}, {70}}, Fill::small);
}
