// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which checks the conditions around them imply.
#include "lower/index/implied_checks.hpp"

#include "ir/walk.hpp"
#include "tests/unit/lower/kernel_of.hpp"

using namespace sinter;

namespace {

std::size_t checks(const lower::Kernel& kernel) {
    std::size_t found = 0;
    ir::for_each_inst(kernel.body, [&](const ir::Inst& inst) { found += inst.op == ir::Op::check_index ? 1 : 0; });
    REQUIRE(kernel.checks.empty() == (found == 0));
    return found;
}

/// Of a map over a0 indices x0 that reads %0 : i64[a0] in a branch. `before` computes x6 from x0, x1 = 1, x2 = 0, x3 = a0,
/// x4 = a0 - 1 and x5, which is loaded; `then` and `otherwise` begin with the local x7.
std::size_t checks(const std::string& before, const std::string& then, const std::string& otherwise = "x2") {
    return checks(test::kernel_of(
        "arguments 1\n%0 : i64[a0] = input\n%1 : i64[a0] = generate (; ; %0) {@0: i64^1, x0: i64 -> x1: i64 = constant 1; "
        "x2: i64 = constant 0; x3: i64 = extent @0^0; x4 = sub x3 x1; x5: i64 = read @0 x0; " +
        before + "x7: i64 = cond x6 {-> " + then + "} {-> " + otherwise + "}; x7}\nreturn %1\n"));
}

const std::string before = "x7 = sub x0 x1; x8: i64 = read @0 x7; x8", after = "x7 = add x0 x1; x8: i64 = read @0 x7; x8";

}  // namespace

TEST_CASE("a condition on an index implies checks of its neighbours", "[lower]") {
    CHECK(checks("x6 = greater x0 x2; ", before) == 0);
    CHECK(checks("x6 = greater_equal x0 x1; ", before) == 0);
    CHECK(checks("x6 = less x2 x0; ", before) == 0);
    CHECK(checks("x6 = not_equal x0 x2; ", before) == 0);
    CHECK(checks("x6 = not_equal x0 x1; ", before) == 1);
    CHECK(checks("x6 = not_equal x0 x4; ", after) == 0);
    CHECK(checks("x6 = not_equal x4 x0; ", after) == 0);
    CHECK(checks("x6 = not_equal x0 x3; ", after) == 1);
    CHECK(checks("x6 = greater x0 x2; ", after) == 1);
    CHECK(checks("x6 = less x0 x4; ", after) == 0);
    CHECK(checks("x6 = less x0 x3; ", after) == 1);
    CHECK(checks("x6 = less_equal x0 x4; ", after) == 1);
}

TEST_CASE("the other side of a condition implies checks, too", "[lower]") {
    CHECK(checks("x6 = less_equal x0 x2; ", "x2", before) == 0);
    CHECK(checks("x6 = equal x0 x2; ", "x2", before) == 0);
    CHECK(checks("x6 = equal x0 x2; ", "x2", after) == 1);
    CHECK(checks("x6 = equal x5 x2; ", "x2", "x7 = sub x5 x1; x8: i64 = read @0 x7; x8") == 1);
    CHECK(checks("x6 = greater_equal x0 x4; ", "x2", after) == 0);
    CHECK(checks("x6 = greater x0 x4; ", "x2", after) == 1);
    CHECK(checks("x6 = less_equal x0 x2; ", before, "x2") == 1);
}

TEST_CASE("conditions together imply checks", "[lower]") {
    const std::string inner =
        "x7 = sub x0 x1; x8: i64 = read @0 x7; x9 = add x0 x1; x10: i64 = read @0 x9; x11 = add x8 x10; x11";
    CHECK(checks("x6 = less x0 x4; ",
                 "x7 = greater x0 x2; x8: i64 = cond x7 {-> x8 = sub x0 x1; x9: i64 = read @0 x8; x10 = "
                 "add x0 x1; x11: i64 = read @0 x10; x12 = add x9 x11; x12} {-> x2}; x8") == 0);
    CHECK(checks("x6 = less x0 x4; ", inner) == 1);
}

TEST_CASE("conditions on what is loaded imply checks of it, and of sums only where nothing can wrap", "[lower]") {
    const std::string range = "x7 = less x5 x3; x8: i64 = cond x7 {-> ";
    CHECK(checks("x6 = greater_equal x5 x2; ", range + "x8: i64 = read @0 x5; x8} {-> x2}; x8") == 0);
    CHECK(checks("x6 = greater x5 x2; ", range + "x8 = sub x5 x1; x9: i64 = read @0 x8; x9} {-> x2}; x8") == 0);
    CHECK(checks("x6 = greater x5 x2; ", range + "x8 = add x5 x1; x9: i64 = read @0 x8; x9} {-> x2}; x8") == 1);
    // x5 + 1 may be the least number of all, which is below the extent
    const std::string sum = "x7 = add x5 x1; x8 = less x7 x3; x9: i64 = cond x8 {-> x9: i64 = read @0 ";
    CHECK(checks("x6 = greater_equal x5 x2; ", sum + "x7; x9} {-> x2}; x9") == 1);
    CHECK(checks("x6 = greater_equal x5 x2; ", sum + "x5; x9} {-> x2}; x9") == 1);
}

TEST_CASE("what a branch knows ends with it", "[lower]") {
    CHECK(checks("x6 = greater x0 x2; ",
                 "x7 = greater x0 x1; x8: i64 = cond x7 {-> x2} {-> x1}; x9 = sub x0 x1; x10 = sub x9 "
                 "x1; x11: i64 = read @0 x10; x11") == 1);
    CHECK(checks("x6 = greater x0 x2; ", "x2", "x7 = sub x0 x1; x8: i64 = read @0 x7; x8") == 1);
}
