// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/interchange.hpp"

#include "enable/lift/lift.hpp"

#include "interp/program.hpp"
#include "ir/evaluate.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "tests/unit/ir/random_program.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

ArrayValue ints(std::vector<std::int64_t> shape) {
    ArrayValue array(Scalar::i64, std::move(shape));
    for (std::int64_t i = 0; i < array.count(); ++i) array.set(i, static_cast<std::uint64_t>(i * 7 % 11));
    return array;
}
ArrayValue scalar(std::int64_t value) {
    return ArrayValue(Scalar::i64, {}, std::vector<std::uint64_t>{static_cast<std::uint64_t>(value)});
}

/// The loops left.
std::size_t check_interchanged(std::string_view text, const std::vector<ArrayValue>& inputs) {
    ir::Program before = ir::parse(text);
    ir::verify(before);
    ir::Program after = enable::interchange(before);
    INFO(ir::print(after));
    ir::verify(after);
    auto expected = interpret(before, inputs, {}), actual = interpret(after, inputs, {});
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(same_values(actual[i], expected[i]));
    std::string printed = ir::print(after);
    std::size_t loops = 0;
    for (std::size_t at = printed.find("= for %"); at != std::string::npos; at = printed.find("= for %", at + 1)) ++loops;
    return loops;
}

}  // namespace

TEST_CASE("interchange: a loop of maps is a map of a loop") {
    for (std::int64_t count : {0, 1, 5, -2})
        CHECK(check_interchanged(R"(%0 : i64[n0] = input
%1 : i64 = input
%2 : i64[n0] = map (%0) {x0: i64 -> x1 = negate x0; x1}
%3 : i64[n0], %4 : i64[n0] = for %1 (%0, %2) {
  %3 : i64 = param
  %4 : i64[n0] = param
  %5 : i64[n0] = param
  %6 : i64 = map (%3, %1) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  %7 : i64[n0], %8 : i64[n0] = map_indexed (%4, %5, %0; %6) {x0: i64, x1: i64, x2: i64, x3: i64, x4: i64 -> x5 = sub x1 x4; x6 = mul x2 x3; x7 = add x6 x0; x5, x7}
  return %8, %7
}
return %3, %4
)",
                                 {ints({4}), scalar(count)}) == 0);
}

TEST_CASE("interchange: an operator of rows, over rows that are gathered") {
    for (std::vector<std::int64_t> shape : {std::vector<std::int64_t>{3, 4}, {1, 1}, {0, 4}, {4, 0}})
        CHECK(check_interchanged(R"(%0 : i64[n0, n0.1] = input
%1 : i64[n0.1] = input
%2 : i64 = generate (; ; %0) {@0: i64^2 -> x0 = extent @0^0; x0}
%3 : i64[n0.1] = for %2 (%1) {
  %3 : i64 = param
  %4 : i64[n0.1] = param
  %5 : i64[n0.1], %6 : i64[n0.1] = generate (; %3) {x0: i64, x1: i64 -> x1, x0}
  %7 : i64[n0.1] = gather (%5, %6) (%0)
  %8 : i64[n0.1] = map (%4, %7) {x0: i64, x1: i64 -> x2: i64 = constant 3; x3 = mul x0 x2; x4 = sub x3 x1; x4}
  return %8
}
return %3
)",
                                 {ints(shape), ints({shape[1]})}) == 0);
}

TEST_CASE("interchange: loops in loops, from the inside out") {
    CHECK(check_interchanged(R"(%0 : i64[n0] = input
%1 : i64 = input
%2 : i64[n0] = for %1 (%0) {
  %2 : i64 = param
  %3 : i64[n0] = param
  %4 : i64[n0] = for %2 (%3) {
    %4 : i64 = param
    %5 : i64[n0] = param
    %6 : i64[n0] = map (%5, %3; %4, %2) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = add x0 x1; x5 = mul x4 x2; x6 = sub x5 x3; x6}
    return %6
  }
  return %4
}
return %2
)",
                             {ints({4}), scalar(4)}) == 0);
}

TEST_CASE("interchange: what is not element-wise stays a loop") {
    for (const char* step : {"%5 : i64[n0] = slice [(n0 - 1):-1] %4",
                             "%5 : i64[n0] = map (%4; ; %4) {@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2: i64 = read @0 "
                             "x1; x3 = add x0 x2; x3}",
                             "%5 : i64[n0] = scan [0] (%4) from () {x0: i64, x1: i64 -> x2 = add x0 x1; x2}"})
        CHECK(check_interchanged(R"(%0 : i64[n0] = input
%1 : i64 = input
%2 : i64 = map (%1) {x0: i64 -> x0}
%3 : i64[n0] = for %2 (%0) {
  %3 : i64 = param
  %4 : i64[n0] = param
  )" + std::string(step) + R"(
  return %5
}
return %3
)",
                                 {ints({4}), scalar(3)}) == 1);
}

TEST_CASE("scalar_control: loops and branches of scalars become one map, in vmap and outside") {
    const char* text = R"(%0 : i64[n0] = input
%1 : i64[n1] = input
%2 : i64[n0] = vmap (%0) {
  %2 : i64 = param
  %3 : i64 = generate () {-> x0: i64 = constant 1; x0}
  %4 : i64, %5 : i64 = while (%2, %3) {
    %4 : i64 = param
    %5 : i64 = param
    %6 : bool = map (%4) {x0: i64 -> x1: i64 = constant 1; x2 = less x1 x0; x2}
    return %6
  } {
    %4 : i64 = param
    %5 : i64 = param
    %6 : bool = map (%4) {x0: i64 -> x1: i64 = constant 2; x2 = rem x0 x1; x3: i64 = constant 0; x4 = equal x2 x3; x4}
    %7 : i64 = cond %6 {
      %7 : i64 = map (%4) {x0: i64 -> x1: i64 = constant 2; x2 = div x0 x1; x2}
      return %7
    } {
      %7 : i64 = gather (%4) (%1)
      return %7
    }
    %8 : i64 = map (%5, %3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    return %7, %8
  }
  %6 : i64 = for %5 (%5) {
    %6 : i64 = param
    %7 : i64 = param
    %8 : i64 = map (%7, %6) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    return %8
  }
  return %6
}
return %2
)";
    ir::Program before = ir::parse(text);
    ir::verify(before);
    ir::Program after = enable::lift(enable::scalar_control(before));
    ir::verify(after);
    INFO(ir::print(after));
    for (const ir::Binding& binding : after.body.bindings) CHECK(ir::bodies_of(binding.op) == nullptr);
    std::vector<ArrayValue> inputs{ints({11}), ints({11})};
    for (std::int64_t i = 0; i < 11; ++i) inputs[1].set(i, static_cast<std::uint64_t>(i / 2));
    CHECK(same_values(interpret(before, inputs, {})[0], interpret(after, inputs, {})[0]));
}

TEST_CASE("interchange: random programs stay well-formed") {
    std::size_t changed = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        ir::Program program = test::RandomProgram(random, {}).make();
        std::string before = ir::print(program);
        ir::Program after = enable::interchange(std::move(program));
        ir::verify(after);
        changed += ir::print(after) != before ? 1 : 0;
    }
    CHECK(changed > 20);
}
