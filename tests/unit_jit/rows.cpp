// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows in lanes: which kernels gain, and what is kept of rows.
#include "schedule/facts/facts.hpp"
#include "schedule/ways/row_blocks.hpp"
#include "support.hpp"

using namespace jit_test;

namespace {

/// The sum of each row less its largest element, which is looked for in what the first pass keeps.
const std::string kept =
    "kernel kept\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : i32[s2] in\nbuffer 1 : i32[s0] out\n"
    "buffer 2 : i32[s1] local\nspace s0\n"
    "{x0: i64 -> x1 = size #1; x2: i32 = constant 0; x3 = mul x0 x1;"
    "x4: i32 = reduce #257 x1 x2 {x4: i64 -> x5 = add x3 x4; x6: i32 = load #0 x5; store #2 x4 x6; x6}"
    "{x4: i32, x5: i32 -> x6 = add x4 x5; x6};"
    "x5: i32 = reduce #257 x1 x2 {x5: i64 -> x6: i32 = load #2 x5; x6}"
    "{x5: i32, x6: i32 -> x7 = maximum x5 x6; x7};"
    "x6 = sub x4 x5; store #1 x0 x6;}";

/// Steps along each row that need this, beside what the step before has left.
std::string recurrence(const std::string& of_step, const std::string& type = "f32") {
    return "kernel recurrence\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nsize s3 = -1\nsize s4 = (s1 + s3)\n"
           "buffer 0 : " +
           type + "[s2] in\nbuffer 1 : " + type + "[s1] in\nbuffer 2 : " + type +
           "[s2] out\n"
           "space s0\n"
           "{x0: i64 -> x1 = size #1; x2 = mul x0 x1; x3: i64 = constant 1; x4: i64 = constant 0; x5 = size #4;"
           "x6: " +
           type + " = constant 1; x7: " + type + " = for_loop x1 x6 {x7: i64, x8: " + type + " -> x9 = add x2 x7;" +
           of_step + "};}";
}

/// The neighbours of an element times itself and an element that rows share, less what the step before has left.
std::string neighbours(const std::string& type) {
    return recurrence("x10 = add x7 x3; x11 = minimum x10 x5; x12 = add x2 x11; x13: " + type +
                          " = load #0 x12;"
                          "x14 = sub x7 x3; x15 = maximum x14 x4; x16 = add x2 x15; x17: " +
                          type +
                          " = load #0 x16;"
                          "x18: " +
                          type +
                          " = load #0 x9; x19 = add x13 x17; x20 = mul x19 x18;"
                          "x21: " +
                          type + " = load #1 x7; x22 = mul x20 x21; x23 = sub x22 x8; store #2 x9 x23; x23",
                      type);
}

/// What steps of the kernel's only loop get from vectors along the rows.
std::optional<sinter::schedule::AlongLines> along(const std::string& text) {
    sinter::schedule::Machine machine;
    machine.vector_bits = 256;
    const auto kernel = sinter::lower::parse(text);
    const auto rows = row_blocks(machine, kernel, sinter::schedule::facts_of(kernel));
    return rows && rows->strips.size() == 1 ? rows->strips.begin()->second.along : std::nullopt;
}

}  // namespace

TEST_CASE("a pass that reads only what each row keeps comes after what keeps it") {
    check_kernel(kept, {{1, 1}, {8, 1}, {9, 4}, {17, 5}, {37, 7}, {40, 16}}, Fill::wild, 0, host_vectors());
}

TEST_CASE("kernels whose rows gain by lanes have accesses against the grain") {
    sinter::schedule::Machine machine;
    machine.vector_bits = 256;
    const auto kernel = sinter::lower::parse(kept);
    const auto facts = sinter::schedule::facts_of(kernel);
    const auto rows = row_blocks(machine, kernel, facts);
    REQUIRE(rows);
    CHECK(rows->lanes == 8);
    CHECK(rows->transposed >= 1);
    machine.vector_bits = 0;
    CHECK(!row_blocks(machine, kernel, facts));
}

TEST_CASE("what steps do not carry is computed along rows") {
    for (const std::string type : {"f32", "f64", "i64", "i32", "u8"}) {
        CAPTURE(type);
        const auto lines = along(neighbours(type));
        REQUIRE(lines);
        CHECK(lines->made == std::vector<std::size_t>{13});                              // x22: all but what is carried
        CHECK(std::count(lines->only_here.begin(), lines->only_here.end(), true) == 6);  // not what rows share, nor indices
        check_kernel(neighbours(type), {{1, 1}, {17, 1}, {17, 7}, {33, 8}, {16, 127}, {19, 128}, {40, 129}, {17, 300}},
                     Fill::wild, 0, host_vectors());
    }
}

TEST_CASE("what steps carry, and what would not be less, stays in the steps") {
    CHECK_FALSE(along(recurrence("x10: f32 = load #0 x9; x11 = sub x10 x8; store #2 x9 x11; x11")));  // one for one
    // An index that is loaded: nothing lies along the row.
    CHECK_FALSE(
        along(recurrence("x10: f32 = load #0 x9; x11: i64 = cast x10; x12 = maximum x11 x4; x13 = minimum x12 x5;"
                         "x14: f32 = load #0 x13; x15 = add x7 x3; x16 = minimum x15 x5; x17 = add x2 x16;"
                         "x18: f32 = load #0 x17; x19 = add x14 x18; x20 = sub x19 x8; store #2 x9 x20; x20")));
    // The neighbour in the output, which an earlier step has stored.
    CHECK_FALSE(
        along(recurrence("x10 = sub x7 x3; x11 = maximum x10 x4; x12 = add x2 x11; x13: f32 = load #2 x12;"
                         "x14 = add x13 x8; store #2 x9 x14; x14")));
}

TEST_CASE("rows that overwrite what they begin with are not computed again") {
    const std::string text =
        "kernel k\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : f32[s0] in\nbuffer 1 : f32[s2] in\n"
        "buffer 2 : f32[s0] out@\nspace s0\n"
        "{x0: i64 -> x1 = size #1; x2 = mul x0 x1; x3: f32 = load #0 x0; x4: f32 = for_loop x1 x3 {x4: i64, x5: f32 ->"
        "x6 = add x2 x4; x7: f32 = load #1 x6; x8 = sub x7 x5; x8}; store #2 x0 x4;}";
    sinter::schedule::Machine machine;
    machine.vector_bits = 256;
    auto has_blocks = [&](const std::string& may_take) {
        std::string own = text;
        own.replace(own.find('@'), 1, may_take);
        auto kernel = sinter::lower::parse(own);
        return row_blocks(machine, kernel, sinter::schedule::facts_of(kernel)).has_value();
    };
    CHECK(has_blocks(""));
    CHECK_FALSE(has_blocks(" over 0"));
}
