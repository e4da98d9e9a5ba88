// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which computed indices are checked: those that some call may put out of range, and no others.
#include "tests/unit/lower/kernel_of.hpp"

#include "ir/walk.hpp"

using namespace sinter;

namespace {

/// How often the operation occurs.
std::size_t count(const lower::Kernel& kernel, ir::Op op) {
    std::size_t found = 0;
    ir::any_inst(kernel.body, [&](const ir::Inst& inst) {
        found += inst.op == op ? 1 : 0;
        return false;
    });
    return found;
}

/// Of a map over `extent` indices that reads %0 : f64[a0] at x, which `body` computes from the index x0.
std::size_t checks(const std::string& sizes, const std::string& extent, const std::string& body) {
    return count(test::kernel_of("arguments 1\n" + sizes + "\n%0 : f64[a0] = input\n%1 : f64[" + extent +
                                 "] = generate (; ; %0) {@0: f64^1, x0: i64 -> " + body + "}\nreturn %1\n"),
                 ir::Op::check_index);
}

}  // namespace

TEST_CASE("indices beside those of a smaller array are in range", "[lower]") {
    REQUIRE(checks("size s0 = (a0 - 2)", "s0", "x1: f64 = read @0 x0; x1") == 0);
    REQUIRE(checks("size s0 = (a0 - 2)", "s0", "x1: i64 = constant 2; x2 = add x0 x1; x3: f64 = read @0 x2; x3") == 0);
    REQUIRE(checks("size s0 = (a0 - 2)", "s0", "x1: i64 = constant 3; x2 = add x0 x1; x3: f64 = read @0 x2; x3") == 1);
    REQUIRE(checks("size s0 = (a0 - 2)", "s0", "x1: i64 = constant 1; x2 = sub x0 x1; x3: f64 = read @0 x2; x3") == 1);
    REQUIRE(checks("size s0 = (a0 + 2)", "s0", "x1: f64 = read @0 x0; x1") == 1);
    REQUIRE(checks("size s0 = (a0 + 2)", "s0", "x1: i64 = constant 2; x2 = sub x0 x1; x3: f64 = read @0 x2; x3") == 1);
}

TEST_CASE("indices from the end, at a stride, and limited ones", "[lower]") {
    const std::string last = "x1: i64 = extent @0^0; x2: i64 = constant 1; x3 = sub x1 x2; ";
    REQUIRE(checks("size s0 = (a0 - 1)", "s0", last + "x4 = sub x3 x0; x5: f64 = read @0 x4; x5") == 0);
    REQUIRE(checks("size s0 = (a0 - 1)", "s0", last + "x4 = sub x1 x0; x5: f64 = read @0 x4; x5") == 1);
    REQUIRE(checks("", "a0", last + "x4 = add x0 x2; x5 = minimum x4 x3; x6: f64 = read @0 x5; x6") == 0);
    REQUIRE(checks("", "a0", last + "x4 = sub x0 x2; x5: i64 = constant 0; x6 = maximum x4 x5; x7: f64 = read @0 x6; x7") ==
            0);
    REQUIRE(checks("", "a0", last + "x4 = add x0 x2; x5 = minimum x4 x1; x6: f64 = read @0 x5; x6") == 1);
    REQUIRE(checks("", "a0", last + "x4 = sub x0 x2; x5 = minimum x4 x3; x6: f64 = read @0 x5; x6") == 1);
    REQUIRE(checks("", "a0", "x1: i64 = constant 2; x2 = mul x0 x1; x3: f64 = read @0 x2; x3") == 1);
    REQUIRE(checks("", "7", "x1: f64 = read @0 x0; x1") == 1);  // of another array
}

TEST_CASE("indices of loops whose counts follow an index", "[lower]") {
    const std::string begin = "x1: f64 = constant 0; x2: f64 = for_loop ";
    const std::string end = "; x4}; x2";
    REQUIRE(checks("", "a0", begin + "x0 x1 {x2: i64, x3: f64 -> x4: f64 = read @0 x2" + end) == 0);
    REQUIRE(checks("size s0 = (a0 + 2)", "s0", begin + "x0 x1 {x2: i64, x3: f64 -> x4: f64 = read @0 x2" + end) == 1);
    REQUIRE(checks("", "a0", begin + "x0 x1 {x2: i64, x3: f64 -> x4: f64 = read @0 x0" + end) == 0);
}
