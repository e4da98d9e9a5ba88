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
