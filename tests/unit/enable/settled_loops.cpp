// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/settled_loops.hpp"

#include "same_results.hpp"

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

std::string settled(const std::string& program) {
    auto inputs = [](const enable::test::Sizes& size) {
        ArrayValue array(Scalar::i64, {size[0]});
        for (std::int64_t i = 0; i < array.count(); ++i) array.set(i, static_cast<std::uint64_t>(i * 7 % 23));
        return std::vector<ArrayValue>{array};
    };
    return enable::test::after(enable::settled_loops, program, {{0}, {1}, {50}}, inputs);
}

/// A loop of one state x1 and a body of these instructions, which result in x9.
std::string loop(const std::string& count, const std::string& body) {
    return "%0 : i64[n0] = input\n%1 : i64[n0] = map (%0) {x0: i64 ->\n  x1: i64 = constant " + count +
           ";\n  x2: i64 = for_loop x1 x0 {x2: i64, x3: i64 -> " + body + "; x9};\n  x2\n}\nreturn %1\n";
}

bool is_while(const std::string& program) { return program.find("while_loop") != std::string::npos; }

}  // namespace

TEST_CASE("settled_loops: a mask that only the state decides ends the loop") {
    const std::string state = "x4: i64 = constant 15; x5 = less x3 x4; x6 = add x3 x2; x7 = add x6 x4; x8 = add x6 x7; ";
    CHECK(is_while(settled(loop("40", state + "x9 = select x5 x8 x3"))));
    CHECK(is_while(settled(loop("40", state + "x9 = select x5 x3 x8"))));
    CHECK(is_while(settled(loop(
        "40",
        "x4: i64 = constant 15; x5 = less x3 x4; x6 = add x3 x2; x7 = add x6 x4; x8 = div x6 x4; x9 = select x5 x7 x3"))));
    CHECK(is_while(settled(loop("40", state + "x9: i64 = cond x5 {-> x9 = sub x8 x6; x9} {-> x3}"))));
}

TEST_CASE("settled_loops: not if the index decides, the state changes anyway, the loop is short or may fail") {
    const std::string state = "x4: i64 = constant 15; x5 = less x3 x4; x6 = add x3 x2; x7 = bit_or x2 x4; ";
    CHECK(!is_while(settled(loop("40", state + "x8 = less x2 x3; x9 = select x8 x6 x3"))));
    CHECK(!is_while(settled(loop("40", state + "x8 = add x6 x7; x9 = select x5 x8 x6"))));
    CHECK(!is_while(settled(loop("3", state + "x8 = add x6 x7; x9 = select x5 x8 x3"))));
    CHECK(!is_while(settled(loop("40", state + "x8 = div x6 x7; x9 = select x5 x8 x3"))));
}
