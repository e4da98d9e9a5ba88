// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not of the closed form is a Limitation; long clusters are no problem.
#include "tests/unit/lower/kernel_of.hpp"

#include "ir/op.hpp"
#include "lower/attempt/form.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace sinter;
using Catch::Contains;
using test::kernel_of;

namespace {

std::string sum(int binding, const char* type, const char* axes, const char* arg) {
    return fmt::format("%{} : {} = fold {} ({}) from (%1) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}\n", binding, type, axes,
                       arg);
}

const std::string matrix = "arguments 2\n%0 : f32[a0, a1] = input\n%1 : f32 = input\n";

}  // namespace

TEST_CASE("folds of one kernel reduce the same axes of the same space") {
    std::string rows = sum(2, "f32[a0]", "[1]", "%0"), columns = sum(3, "f32[a1]", "[0]", "%0");
    CHECK_THROWS_AS(kernel_of(matrix + rows + columns + "return %2, %3\n"), Limitation);
    CHECK(kernel_of(matrix + rows + columns + "return %3\n").space.size() == 1);  // the other one is not needed
    CHECK_THROWS_WITH(kernel_of(matrix + rows + sum(3, "f32", "[0]", "%2") + "return %3\n"), Contains("other axes"));
}

TEST_CASE("scans of one kernel are alike") {
    auto scans = [](const std::string& a, const std::string& b) {
        std::string op = " {x0: f32, x1: f32 -> x2 = add x0 x1; x2}\n";
        return matrix + "%2 : f32[a0, a1] = scan " + a + op + "%3 : f32[a0, a1] = scan " + b + op + "return %2, %3\n";
    };
    const std::string one = "[1] (%0) from (%1)";
    CHECK(kernel_of(scans(one, one)).space.size() == 1);
    for (const char* other : {"[0] (%0) from (%1)", "reverse [1] (%0) from (%1)", "exclusive [1] (%0) from (%1)",
                              "[1] (%0) from ()", "[1] (%2) from (%1)"})
        CHECK_THROWS_AS(kernel_of(scans(one, other)), Limitation);
}

TEST_CASE("recurrences of one kernel are alike, and no scans") {
    auto loops = [](const std::string& a, const std::string& b) {
        std::string op = " {x0: f32, x1: f32 -> x2 = sub x1 x0; x2}\n";
        return matrix + "%2 : f32[a0, a1] = " + a + op + "%3 : f32[a0, a1] = " + b + op + "return %2, %3\n";
    };
    const std::string one = "recur [1] (%0) from (%1)";
    CHECK(kernel_of(loops(one, one)).body.insts.size() > 1);
    CHECK(print(kernel_of(loops(one, one))).find("for_loop") != std::string::npos);
    for (const char* other : {"recur [0] (%0) from (%1)", "recur reverse [1] (%0) from (%1)", "scan [1] (%0) from (%1)"})
        CHECK_THROWS_AS(kernel_of(loops(one, other)), Limitation);
    // They may need each other, step by step.
    CHECK(kernel_of(loops(one, "recur [1] (%2) from (%1)")).space.size() == 1);
}

TEST_CASE("a fold's result flows back into its space at its own point only") {
    auto centred = [](const char* axes) {
        return "arguments 1\n%0 : f32[a0, a0] = input\n%1 : f32 = input\n" + sum(2, "f32[a0]", "[1]", "%0") +
               "%3 : f32[a0, a0] = broadcast " + axes +
               " %2\n%4 : f32[a0, a0] = map (%0, %3) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}\nreturn %4\n";
    };
    CHECK(kernel_of(centred("[0]")).space.size() == 1);
    CHECK_THROWS_WITH(kernel_of(centred("[1]")), Contains("elsewhere"));
}

TEST_CASE("a fold's result is used at the kernel's point only") {
    std::string text = matrix + sum(2, "f32[a0]", "[1]", "%0") + "%3 : f32[a0] = slice [(a0 - 1):-1] %2\nreturn %3\n";
    CHECK_THROWS_WITH(kernel_of(text), Contains("fold") && Contains("elsewhere"));
    std::string cut = "arguments 3\n%0 : f32[a0, a1, a2] = input\n%1 : f32 = input\n%2 : f32[a1] = input\n" +
                      sum(3, "f32[a0, a1]", "[2]", "%0") +
                      "%4 : f32[a0, a1] = broadcast [1] %2\n"
                      "%5 : f32[a0, a1] = map (%4, %3) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}\n"
                      "return %5\n";
    CHECK(kernel_of(cut).space.size() == 2);  // although the axes were one when the fold was first asked for
}

TEST_CASE("results have one shape") {
    std::string text =
        "arguments 2\n%0 : f32[a0] = input\n%1 : f32[a1] = input\n"
        "%2 : f32[a0] = map (%0) {x0: f32 -> x1 = negate x0; x1}\n"
        "%3 : f32[a1] = map (%1) {x0: f32 -> x1 = negate x0; x1}\n";
    CHECK_THROWS_WITH(kernel_of(text + "return %2, %3\n"), Contains("shape"));
    CHECK_THROWS_AS(
        kernel_of(matrix + sum(2, "f32[a0]", "[1]", "%0") + "%3 : f32[a1, a0] = transpose [1, 0] %0\nreturn %2, %3\n"),
        Limitation);
}

TEST_CASE("control flow over arrays is not part of a kernel") {
    CHECK_THROWS_WITH(kernel_of("%0 : bool = input\n%1 : f32 = input\n%2 : f32 = cond %0 {\nreturn %1\n} {\nreturn %1\n}\n"
                                "return %2\n"),
                      Contains("cond"));
}

TEST_CASE("a Limitation has the operation's site") {
    ir::Program program = ir::parse(matrix + sum(2, "f32[a0]", "[1]", "%0") + sum(3, "f32", "[0]", "%2") + "return %3\n");
    program.sites.push_back({location::current()});
    program.body.bindings[1].site = ir::SiteId(0);
    try {
        lower::lower(program);
        FAIL("no error");
    } catch (const Limitation& error) {
        CHECK(error.where().line() == program.sites[0].where.line());
    }
}

TEST_CASE("a result that is an input, or twice the same") {
    lower::Kernel copy = kernel_of("arguments 1\n%0 : f32[a0] = input\nreturn %0, %0\n");
    CHECK(copy.name == "copy");
    CHECK(copy.buffers.size() == 3);
    CHECK(copy.body.insts.size() == 3);
}

TEST_CASE("a cluster of ten thousand operations") {
    std::string text = "arguments 1\n%0 : f32[a0] = input\n";
    int length = 10000;
    for (int k = 1; k <= length; ++k)
        text += fmt::format("%{} : f32[a0] = map (%{}, %{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}\n", k, k - 1, k - 1);
    lower::Kernel kernel = kernel_of(text + fmt::format("return %{}\n", length));
    CHECK(kernel.body.insts.size() == static_cast<std::size_t>(length) + 2);
}

TEST_CASE("a fold of what a hundred maps compute, each of which needs the one before twice") {
    std::string text = matrix;
    const int last = 101;
    for (int k = 2, before = 0; k <= last; before = k++)
        text += fmt::format("%{} : f32[a0, a1] = map (%{}, %{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}\n", k, before,
                            before);
    text += sum(last + 1, "f32[a0]", "[1]", fmt::format("%{}", last).c_str());
    CHECK(kernel_of(text + fmt::format("return %{}\n", last + 1)).space.size() == 1);
}

TEST_CASE("kernels do not depend on what else is in the size table, nor on dead operations") {
    std::string_view text =
        "arguments 2\n%0 : f32[a1] = input\n%1 : f32[a1] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}\nreturn %1\n";
    ir::Program program = ir::parse(text), other;
    other.sizes.constant(77);
    other.sizes.mul(other.sizes.argument(0), other.sizes.constant(3));
    ir::SizeId extent = other.sizes.argument(1);
    other.body = program.body;
    other.body.params[0].shape = {extent};
    other.body.bindings[0].types[0].shape = {extent};
    other.size_arguments = 2;
    CHECK(lower::print(lower::lower(program)) == lower::print(lower::lower(other)));
}

TEST_CASE("math operations are replaced by their definitions") {
    lower::Kernel kernel =
        kernel_of("arguments 1\n%0 : f32[a0] = input\n%1 : f32[a0] = map (%0) {x0: f32 -> x1 = exp x0; x1}\nreturn %1\n");
    CHECK(kernel.body.insts.size() > 5);
    for (const ir::Inst& inst : kernel.body.insts) CHECK(ir::info(inst.op).traits != ir::Traits::math);
}

TEST_CASE("a function of x and of -x is computed once but for what the sign changes") {
    auto divisions = [](const char* second) {
        lower::Kernel kernel = kernel_of(
            fmt::format("arguments 1\n%0 : f64[a0] = input\n"
                        "%1 : f64[a0] = map (%0) {{x0: f64 -> x1: f64 = constant -0.5; x2 = mul x0 x1; x3 = erfc x2; x3}}\n"
                        "%2 : f64[a0] = map (%0) {{x0: f64 -> {}}}\n"
                        "%3 : f64[a0] = map (%1, %2) {{x0: f64, x1: f64 -> x2 = add x0 x1; x2}}\nreturn %3\n",
                        second));
        return std::count_if(kernel.body.insts.begin(), kernel.body.insts.end(),
                             [](const ir::Inst& inst) { return inst.op == ir::Op::div; });
    };
    CHECK(divisions("x1: f64 = constant -0.5; x2 = negate x0; x3 = mul x2 x1; x4 = erfc x3; x4") == 1);
    CHECK(divisions("x1: f64 = constant -0.5; x2 = mul x0 x1; x3 = negate x2; x4 = erfc x3; x4") == 1);
    CHECK(divisions("x1: f64 = constant 1.5; x2 = mul x0 x1; x3 = erfc x2; x3") == 2);
}

TEST_CASE("a branch that may fail is not moved out of a loop, one that cannot is") {
    auto loop_of = [](const char* otherwise) {
        lower::Kernel kernel = kernel_of(
            fmt::format("arguments 2\n%0 : i64[a0] = input\n%1 : i64[a1] = input\n"
                        "%2 : i64[a0] = map (%0; ; %1) {{@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2 = less x0 x1; "
                        "x3: i64 = for_loop x0 x1 {{x3: i64, x4: i64 -> x5: i64 = cond x2 {{-> x1}} {{-> {}; x5}}; x6 = add "
                        "x4 x5; x6}}; x3}}\n"
                        "return %2\n",
                        otherwise));
        for (const ir::Inst& inst : kernel.body.insts)
            if (inst.op == ir::Op::for_loop) return inst.blocks[0].insts;
        return std::vector<ir::Inst>();
    };
    CHECK(loop_of("x5: i64 = read @0 x0")[0].op == ir::Op::cond);
    CHECK(loop_of("x5 = rem x1 x0")[0].op == ir::Op::cond);
    CHECK(loop_of("x5 = mul x0 x0")[0].op == ir::Op::add);
}

TEST_CASE("a loop that may not end is not moved") {
    lower::Kernel kernel = kernel_of(
        "arguments 1\n%0 : i64[a0] = input\n"
        "%1 : i64[a0] = map (%0) {x0: i64 -> x1: i64 = for_loop x0 x0 {x1: i64, x2: i64 -> "
        "x3: i64 = while_loop x0 {x3: i64 -> x4: i64 = constant 9; x5 = less x3 x4; x5} {x3: i64 -> x4 = mul x3 x3; x4}; "
        "x4 = add x2 x3; x4}; x1}\nreturn %1\n");
    for (const ir::Inst& inst : kernel.body.insts) CHECK(inst.op != ir::Op::while_loop);
}
