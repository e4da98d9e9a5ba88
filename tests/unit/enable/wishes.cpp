// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs could make of a call's extents, and programs specialised for those mean the same.
#include "enable/wishes.hpp"
#include "pipeline/pipeline.hpp"

#include "interp/program.hpp"
#include "ir/evaluate.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using Catch::Contains;
using interp::ArrayValue;
using ir::Scalar;

namespace {

/// 0, 1, ..., limit - 1, 0, ...
ArrayValue counted(Scalar scalar, std::vector<std::int64_t> shape, std::int64_t limit = 1000) {
    ArrayValue array(scalar, std::move(shape));
    for (std::int64_t k = 0; k < array.count(); ++k) array.set(k, ir::from_int64(scalar, k * 7 % limit));
    return array;
}

struct Specialised {
    std::size_t wishes;
    std::string text;
};

/// The program specialised for all its wishes, which have to hold for these inputs and arguments.
Specialised check(const std::string& text, const std::vector<ArrayValue>& inputs,
                  const std::vector<std::int64_t>& arguments = {}) {
    ir::Program before = ir::parse(text);
    ir::verify(before);
    const std::vector<enable::Wish> wishes = enable::wishes(before);
    ir::Program after = pipeline::specialise(before, wishes);
    std::string printed = ir::print(after);
    INFO(printed);
    ir::verify(after);
    const auto expected = interp::interpret(before, inputs, arguments), actual = interp::interpret(after, inputs, arguments);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(same_values(expected[k], actual[k]));
    return {wishes.size(), printed};
}

}  // namespace

TEST_CASE("wishes: extents of an array that is read at a map's own index") {
    const auto [wishes, text] = check(R"(arguments 2
%0 : i64[n0, n0.1] = input
%1 : i64[a0, a1] = generate (; ; %0) {@0: i64^2, x0: i64, x1: i64 -> x2: i64 = read @0 x0 x1; x3 = add x2 x1; x3}
return %1)",
                                      {counted(Scalar::i64, {3, 4})}, {3, 4});
    CHECK(wishes == 1);
    CHECK_THAT(text, Contains("i64[n0, n0.1] = map_indexed (%0)"));
}

TEST_CASE("wishes: in the bodies of loops, and for the values of inputs") {
    const auto [wishes, text] = check(R"(%0 : i64 = input
%1 : i64[n1] = input
%2 : i64[n1] = for %0 (%1) {
  %2 : i64 = param
  %3 : i64[n1] = param
  %4 : i64[%0] = generate (; ; %3) {@0: i64^1, x0: i64 -> x1: i64 = read @0 x0; x2 = mul x1 x1; x2}
  %5 : i64[n1] = map (%3; ; %4) {@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2: i64 = read @0 x1; x3 = add x0 x2; x3}
  return %5
}
return %2)",
                                      {counted(Scalar::i64, {}), counted(Scalar::i64, {0})});
    CHECK(wishes == 1);
    CHECK_THAT(text, !Contains("%0]"));
}

TEST_CASE("wishes: none where an index is used twice, is computed, or the extents are equal already") {
    for (const char* fn : {"x0: i64, x1: i64 -> x2: i64 = read @0 x0 x0; x2",
                           "x0: i64, x1: i64 -> x2: i64 = add x0 x1; x3: i64 = read @0 x2 x1; x3"}) {
        ir::Program program =
            ir::parse(std::string("arguments 2\n%0 : i64[n0, n0.1] = input\n%1 : i64[a0, a1] = generate (; "
                                  "; %0) {@0: i64^2, ") +
                      fn + "}\nreturn %1");
        CHECK(enable::wishes(program).empty());
    }
}

TEST_CASE("wishes: a gather of fewer rows than a fold reduces") {
    const auto [wishes, text] = check(R"(%0 : i64[n0] = input
%1 : i64[n1, n1.1] = input
%2 : i64 = map () {-> x0: i64 = constant 5; x0}
%3 : i64[n1] = fold [1] (%1) from (%2) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
%4 : i64[n0] = gather (%0) (%3)
return %4)",
                                      {counted(Scalar::i64, {4}, 6), counted(Scalar::i64, {6, 5})});
    CHECK(wishes == 1);
    CHECK_THAT(text, Contains("i64[n0, n1.1] = gather") && Contains("i64[n0] = fold [1]"));
}

TEST_CASE("wishes: gathers of folds of outer axes, of several arrays, in two dimensions") {
    const auto [wishes, text] =
        check(R"(%0 : i64[n0, n0.1] = input
%1 : i64[n0, n0.1] = input
%2 : i64[n2, n2.1, n2.2, n2.3] = input
%3 : i64[n2, n2.1, n2.2, n2.3] = map (%2) {x0: i64 -> x1 = mul x0 x0; x1}
%4 : i64 = map () {-> x0: i64 = constant 0; x0}
%5 : i64[n2.1, n2.3], %6 : i64[n2.1, n2.3] = fold [0, 2] (%2, %3) from (%4, %4) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = add x0 x2; x5 = maximum x1 x3; x4, x5}
%7 : i64[n0, n0.1], %8 : i64[n0, n0.1] = gather (%0, %1) (%5, %6)
return %7, %8)",
              {counted(Scalar::i64, {2, 3}, 3), counted(Scalar::i64, {2, 3}, 4), counted(Scalar::i64, {2, 3, 5, 4})});
    CHECK(wishes == 1);
    CHECK_THAT(text, Contains("fold [2, 3]"));
}

TEST_CASE("wishes: no fold moves into a loop, or behind a gather that is not its only reader") {
    for (const char* rest : {"%4 : i64[n0] = gather (%0) (%3)\nreturn %3, %4",
                             "%4 : i64[n0] = for %2 (%0) {\n  %4 : i64 = param\n  %5 : i64[n0] = param\n  %6 : i64[n0] = "
                             "gather (%5) (%3)\n  return %6\n}\nreturn %4"}) {
        ir::Program program = ir::parse(std::string(R"(%0 : i64[n0] = input
%1 : i64[n1, n1.1] = input
%2 : i64 = map () {-> x0: i64 = constant 0; x0}
%3 : i64[n1] = fold [1] (%1) from (%2) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
)") + rest);
        ir::verify(program);
        CHECK(enable::wishes(program).empty());
    }
}

TEST_CASE("wishes: loops that fill an array plane by plane are recurrences") {
    const std::string text = R"(%0 : i64[n0, n0.1] = input
%1 : i64[n1, n1.1] = input
%2 : i64 = map (; ; %0) {@0: i64^2 -> x0 = extent @0^1; x0}
%3 : i64[n0, n0.1] = map () {-> x0: i64 = constant 0; x0}
%4 : i64[n0] = map () {-> x0: i64 = constant 1; x0}
%5 : i64[n0, n0.1], %6 : i64[n0] = for %2 (%3, %4) {
  guard max(n1.1, (%5 + 1)) = n1.1 "slice: out of range, axis 1"
  %5 : i64 = param
  %6 : i64[n0, n0.1] = param
  %7 : i64[n0] = param
  %8 : i64[n1, 1] = slice [0:1, %5:1] %1
  %9 : i64[n0] = reshape %8
  %10 : i64[n0] = map (%7, %9) {x0: i64, x1: i64 -> x2: i64 = constant 3; x3 = mul x0 x2; x4 = sub x3 x1; x4}
  %11 : i64[n0], %12 : i64[n0] = generate (; %5) {x0: i64, x1: i64 -> x0, x1}
  %13 : i64[n0, n0.1] = scatter (%6) at (%11, %12) (%10)
  return %13, %10
}
return %5)";
    const auto [wishes, after] = check(text, {counted(Scalar::i64, {3, 4}), counted(Scalar::i64, {3, 4})});
    CHECK(wishes == 2);  // that it is one, and that there are no more planes than steps
    CHECK_THAT(after, Contains("recur [1]") && !Contains("for "));
}

TEST_CASE("wishes: what is gathered for a transposed result is transposed before") {
    const std::vector<ArrayValue> inputs{counted(Scalar::i64, {2, 5}), counted(Scalar::i64, {4}, 5)};
    const std::string declared = "%0 : i64[n0, n0.1] = input\n%1 : i64[n1] = input\n";
    SECTION("the places are an argument") {
        const auto [wishes, text] = check(declared + R"(%2 : i64[n0, n1] = broadcast [1] %1
%3 : i64[n0, n1] = map_indexed (%2; ; %0) {@0: i64^2, x0: i64, x1: i64, x2: i64 -> x3: i64 = read @0 x0 x2; x4 = add x3 x1; x5 = mul x4 x0; x5}
%4 : i64[n1, n0] = transpose [1, 0] %3
return %4)",
                                          inputs);
        CHECK(wishes == 1);
        CHECK_THAT(text, Contains("i64[n0.1, n0] = transpose [1, 0]") && Contains("i64[n1, n0] = map_indexed"));
    }
    SECTION("the places are read, in a loop, and inner axes are joined") {
        const auto [wishes, text] = check(
            declared + R"(%2 : i64[n0, n1, n1] = generate (; ; %0, %1) {@0: i64^2, @1: i64^1, x0: i64, x1: i64, x2: i64 ->
  x3: i64 = constant 2;
  x4: i64 = constant 0;
  x5: i64 = for_loop x3 x4 {x5: i64, x6: i64 -> x7 = rem x2 x3; x8: i64 = read @1 x7; x9: i64 = read @0 x0 x8; x10 = add x6 x9; x11 = add x10 x5; x11};
  x6 = mul x5 x1;
  x6
}
%3 : i64[n0, (n1 * n1)] = reshape %2
%4 : i64[(n1 * n1), n0] = transpose [1, 0] %3
return %4)",
            inputs);
        CHECK(wishes == 1);
        CHECK_THAT(text, Contains("i64[n0.1, n0] = transpose [1, 0]") && Contains("i64[n1, n1, n0] = generate"));
    }
    SECTION("not if the places depend on the line, or are in order") {
        for (const char* place : {"x2: i64 = read @1 x0", "x2: i64 = constant 1"}) {
            const auto [wishes, text] =
                check(declared + "%2 : i64[n0, n1] = generate (; ; %0, %1) {@0: i64^2, @1: i64^1, x0: i64, x1: i64 -> " +
                          place + "; x3: i64 = read @0 x0 x2; x3}\n%3 : i64[n1, n0] = transpose [1, 0] %2\nreturn %3",
                      {inputs[0], counted(Scalar::i64, {2}, 5)});
            CHECK_THAT(text, !Contains("i64[n0.1, n0] = transpose"));
        }
    }
}
