// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a point that become one.
#include "schedule/merge_loops.hpp"

#include "ir/walk.hpp"
#include "lower/text/parse.hpp"
#include "lower/verify.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace sinter;

namespace {

const std::string head =
    "kernel k\nsize s0 = a0\nsize s1 = (s0 * s0)\nbuffer 0 : f64[s0] in\nbuffer 1 : f64[s1] in\nbuffer 2 : f64[s0] out\n"
    "buffer 3 : f64[s0] out filled 0\nspace s0\n";

const std::string fold =
    "x4: f64 = reduce #257 x1 x2 {x4: i64 -> x5 = add x3 x4; x6: f64 = load #1 x5; x7: f64 = load #0 x4; x8 = mul x6 x7; "
    "x8} "
    "{x4: f64, x5: f64 -> x6 = add x4 x5; x6};\n";

/// A product by rows, then what stands between, and a product by columns with x5 as the factor.
std::string body(const std::string& between) {
    return head + "{x0: i64 -> x1 = size #0; x2: f64 = constant 0; x3 = mul x0 x1;\n" + fold + between +
           "for_each #1 x1 {x6: i64 -> x7 = add x3 x6; x8: f64 = load #1 x7; x9 = mul x8 x5;\n"
           "update #3 x6 x9 {x10: f64, x11: f64 -> x12 = add x10 x11; x12};};\nstore #2 x0 x4;}\n";
}

long loads(const lower::Block& block, std::uint64_t buffer) {
    long count = 0;
    ir::for_each_inst(block, [&](const lower::Inst& inst) { count += inst.op == ir::Op::load && inst.bits == buffer; });
    return count;
}

bool has_for_each(const lower::Kernel& kernel) {
    return ir::any_inst(kernel.body, [](const lower::Inst& inst) { return inst.op == ir::Op::for_each; });
}

}  // namespace

TEST_CASE("a fold of a row and updates by the row become one loop, which loads the row once", "[schedule]") {
    const lower::Kernel kernel = lower::parse(body("x5: f64 = load #0 x0;\n"));
    const lower::Kernel merged = schedule::merge_loops(kernel);
    CHECK_NOTHROW(lower::verify(merged));
    CHECK(!has_for_each(merged));
    CHECK(loads(kernel.body, 1) == 2);
    CHECK(loads(merged.body, 1) == 1);
    CHECK(print(schedule::merge_loops(merged)) == print(merged));
}

TEST_CASE("updates that need the fold stay behind it", "[schedule]") {
    const lower::Kernel kernel = lower::parse(body("x5 = add x4 x4;\n"));
    CHECK(print(schedule::merge_loops(kernel)) == print(kernel));
}

TEST_CASE("updates by what may not be moved stay where they are", "[schedule]") {
    std::string text = body(
        "x5: f64 = reduce #257 x1 x2 {x5: i64 -> x6: f64 = load #0 x5; x6} "
        "{x5: f64, x6: f64 -> x7 = mul x5 x6; x7};\n");
    const lower::Kernel kernel = lower::parse(text);
    CHECK(has_for_each(schedule::merge_loops(kernel)));
}

TEST_CASE("loops over other ranges stay apart", "[schedule]") {
    std::string text = body("x5: f64 = load #0 x0;\n");
    text.replace(text.find("for_each #1 x1"), 14, "for_each #1 x0");
    const lower::Kernel kernel = lower::parse(text);
    CHECK(print(schedule::merge_loops(kernel)) == print(kernel));
}
