// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/partial_steps.hpp"

#include "same_results.hpp"

#include <bit>

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

/// A loop over a matrix of this shape whose function has these instructions; x2 is the element, x3 the counter, and x9 the
/// condition.
std::string loop(const std::string& shape, const std::string& body, const std::string& changed) {
    return "%0 : i64[" + shape + "] = input\n%1 : i64 = map (; ; %0) {@0: i64^2 -> x0 = extent @0^0; x0}\n%2 : i64[" +
           shape + "] = for %1 (%0) {\n  %2 : i64 = param\n  %3 : i64[" + shape + "] = param\n  %4 : i64[" + shape +
           "] = map_indexed (%3; %2; %3) {@0: i64^2, x0: i64, x1: i64, x2: i64, x3: i64 -> " + body + changed +
           "}\n  return %4\n}\nreturn %2\n";
}

bool is_update(const std::string& program) {
    auto inputs = [](const enable::test::Sizes& size) {
        ArrayValue array(Scalar::i64, {size[0], size[0]});
        for (std::int64_t i = 0; i < array.count(); ++i) array.set(i, static_cast<std::uint64_t>(i * 7 % 23));
        return std::vector<ArrayValue>{array};
    };
    return enable::test::after(enable::partial_steps, program, {{0}, {1}, {7}}, inputs).find("scatter") != std::string::npos;
}

const std::string planes = "x4: i64 = read @0 x0 x3; x5: i64 = read @0 x3 x1; x6 = mul x4 x5; ";
const std::string bounded = "x7 = greater x0 x3; x8 = greater_equal x1 x3; x9 = bit_and x7 x8; ";

}  // namespace

TEST_CASE("partial_steps: a condition that bounds indices from below makes an update") {
    CHECK(is_update(loop("n0, n0", planes + bounded, "x10 = select x9 x6 x2; x10")));
    CHECK(is_update(loop("n0, n0", planes + bounded, "x10: i64 = cond x9 {-> x10: i64 = read @0 x0 x3; x10} {-> x2}; x10")));
    CHECK(is_update(loop("n0, n0", planes + "x7 = greater_equal x0 x1; x8 = greater_equal x1 x3; x9 = bit_and x7 x8; ",
                         "x10 = select x9 x6 x2; x10")));
}

TEST_CASE("partial_steps: a chain of conditions makes an update of what all of them bound") {
    const std::string column = "x10 = equal x1 x3; x11 = greater_equal x0 x3; x12 = bit_and x10 x11; ";
    CHECK(is_update(loop("n0, n0", planes + bounded + column, "x13 = select x9 x6 x2; x14 = select x12 x4 x13; x14")));
    CHECK(is_update(loop("n0, n0", planes + bounded + "x10 = greater_equal x1 x3; ",
                         "x11 = select x9 x6 x2; x12 = select x10 x4 x11; x12")));  // only columns are bounded
    CHECK(!is_update(
        loop("n0, n0", planes + bounded + "x10 = less x1 x3; ", "x11 = select x9 x6 x2; x12 = select x10 x4 x11; x12")));
    CHECK(!is_update(loop("n0, n0", planes + bounded + column, "x13 = select x9 x6 x4; x14 = select x12 x4 x13; x14")));
}

TEST_CASE("partial_steps: what is expensive and the same along a line is computed once for the line") {
    const std::string program =
        "%0 : f64[n0, n0] = input\n%1 : i64 = map (; ; %0) {@0: f64^2 -> x0 = extent @0^0; x0}\n"
        "%2 : f64[n0, n0] = for %1 (%0) {\n  %2 : i64 = param\n  %3 : f64[n0, n0] = param\n"
        "  %4 : f64[n0, n0] = map_indexed (%3; %2; %3) {@0: f64^2, x0: i64, x1: i64, x2: f64, x3: i64 -> "
        "x4 = greater x0 x3; x5 = greater x1 x3; x6 = bit_and x4 x5; "
        "x7: f64 = read @0 x3 x3; x8 = sqrt x7; x9: f64 = read @0 x0 x3; x10 = div x9 x8; x11: f64 = read @0 x1 x3; "
        "x12 = div x11 x8; x13: f64 = read @0 x3 x1; x14 = mul x10 x12; x15 = add x14 x13; x16 = sub x2 x15; "
        "x17 = select x6 x16 x2; x17}\n  return %4\n}\nreturn %2\n";
    auto inputs = [](const enable::test::Sizes& size) {
        ArrayValue array(Scalar::f64, {size[0], size[0]});
        for (std::int64_t i = 0; i < array.count(); ++i)
            array.set(i, std::bit_cast<std::uint64_t>(static_cast<double>(i * 7 % 23) + 1));
        return std::vector<ArrayValue>{array};
    };
    const std::string after = enable::test::after(enable::partial_steps, program, {{0}, {1}, {7}}, inputs);
    const std::size_t box = after.find("map_indexed");
    REQUIRE(box != std::string::npos);
    CHECK(after.find("sqrt") < box);
    CHECK(after.find("div", box) == std::string::npos);
    CHECK(after.find("sqrt", box) == std::string::npos);
    const std::size_t first = after.find(" = div ");
    CHECK(first < box);
    CHECK(after.find(" = div ", first + 1) == std::string::npos);  // one line serves rows and columns
    CHECK(after.find("force") != after.rfind("force"));            // besides, the row is read as it is
}

TEST_CASE("partial_steps: nothing else does") {
    CHECK(!is_update(loop("n0, n0", planes + bounded, "x10 = select x9 x2 x6; x10")));
    CHECK(!is_update(loop("n0, n0",
                          "x4: i64 = read @0 x1 x0; "
                          "x5 = greater x0 x3; x6 = select x5 x4 x2; x6",
                          "")));
    CHECK(!is_update(loop("n0, n0", planes + "x7 = less x0 x3; x8 = less_equal x1 x3; x9 = bit_and x7 x8; ",
                          "x10 = select x9 x6 x2; x10")));
    CHECK(!is_update(loop("n0, n0", planes + "x7 = greater x0 x3; x8 = greater_equal x1 x3; x9 = bit_or x7 x8; ",
                          "x10 = select x9 x6 x2; x10")));
    CHECK(!is_update(loop("n0, n0", "x4: i64 = constant 1; x5 = add x3 x4; x6 = div x2 x5; x7 = greater x0 x3; ",
                          "x8 = select x7 x6 x2; x8")));
}

TEST_CASE("partial_steps: matrices are wished to be square, or as long as there are steps") {
    ir::Program program = ir::parse(loop("n0, n0.1", planes + bounded, "x10 = select x9 x6 x2; x10"));
    CHECK(ir::print(enable::partial_steps(program)) == ir::print(program));
    const auto wished = enable::wished_partial_steps(program);
    CHECK(std::count_if(wished.begin(), wished.end(), [](const auto& step) { return !step.wish.equal.empty(); }) == 1);
}
