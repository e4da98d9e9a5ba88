// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with filters compute what they did, with as many compacts and arrays of them as they need.
#include "enable/filters/push_filters.hpp"

#include "interp/program.hpp"
#include "ir/evaluate.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

/// %0: i64[n], %1: f32[n], with zeros of both signs and an infinity; %2: bool[n], %3: bool[n].
std::vector<ArrayValue> inputs(std::int64_t n, std::uint64_t mask) {
    std::vector<ArrayValue> made;
    for (Scalar scalar : {Scalar::i64, Scalar::f32, Scalar::boolean, Scalar::boolean})
        made.emplace_back(scalar, std::vector<std::int64_t>{n});
    const double floats[] = {-0.0, 0.1, -7.25, 0.0, INFINITY, 3e-3};
    for (std::int64_t i = 0; i < n; ++i) {
        made[0].set(i, ir::from_int64(Scalar::i64, i * 7 % 11 - 5));
        made[1].set(i, ir::from_double(Scalar::f32, floats[i % 6]));
        made[2].set(i, mask >> i % 64 & 1);
        made[3].set(i, (i * i + 1) % 3 == 1);
    }
    return made;
}

std::size_t occurrences(const std::string& text, std::string_view word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

/// The program after the pass, as text.
std::string check(const std::string& body) {
    ir::Program before =
        ir::parse("%0 : i64[n0] = input\n%1 : f32[n0] = input\n%2 : bool[n0] = input\n%3 : bool[n0] = input\n" + body);
    ir::verify(before);
    ir::Program after = enable::push_filters(before);
    std::string text = ir::print(after);
    INFO(ir::print(before) << "\nbecomes\n" << text);
    ir::verify(after);
    for (std::int64_t n : {0, 1, 2, 5, 13})
        for (std::uint64_t mask : {0xffffULL, 0ULL, 0x5a5aULL, 0x1001ULL, 2ULL}) {
            std::vector<ArrayValue> expected = interp::interpret(before, inputs(n, mask), {});
            std::vector<ArrayValue> actual = interp::interpret(after, inputs(n, mask), {});
            for (std::size_t i = 0; i < expected.size(); ++i) {
                INFO("n " << n << ", mask " << mask << ", result " << i);
                CHECK(same_values(actual[i], expected[i]));
            }
        }
    return text;
}

void check_dissolves(const std::string& body) {
    std::string text = check(body);
    INFO(text);
    CHECK(occurrences(text, "compact") == 0);
}

void check_stays(const std::string& body) {
    std::string text = check(body);
    INFO(text);
    CHECK(occurrences(text, "compact") > 0);
    CHECK(occurrences(text, "select") == occurrences(body, "select"));
}

const std::string zero = "  %4 : i64 = generate () {-> x0: i64 = constant 3; x0}\n";
const std::string kept = zero + "  %5 : i64, %6 : i64[%5], %7 : f32[%5] = compact %2 (%0, %1)\n";
const std::string sum = "{x0: i64, x1: i64 -> x2 = add x0 x1; x2}";

}  // namespace

TEST_CASE("filter: sums of what is kept need no array") {
    check_dissolves(kept + "  %8 : i64 = fold commutative [0] (%6) from (%4) " + sum + "\n  return %8\n");
    // The order of additions stays, and -0 in place of what is dropped does not show.
    check_dissolves(kept + R"(
  %8 : f32 = map () {-> x0: f32 = constant -0; x0}
  %9 : f32 = fold commutative [0] (%7) from (%8) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %9, %5
)");
}

TEST_CASE("filter: every operation with a neutral element") {
    for (std::string op : {"add", "mul", "minimum", "maximum", "bit_and", "bit_or", "bit_xor"})
        check_dissolves(kept + "  %8 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x2 = " + op +
                        " x1 x0; x2}\n  return %8\n");
    for (std::string op : {"add", "mul", "minimum", "maximum", "fmin", "fmax"})
        check_dissolves(kept + "  %8 : f32 = map () {-> x0: f32 = constant 2; x0}\n  %9 : f32 = fold [0] (%7) from (%8) " +
                        "{x0: f32, x1: f32 -> x2 = " + op + " x0 x1; x2}\n  return %9\n");
}

TEST_CASE("filter: several values, of operations with neutral elements") {
    check_dissolves(kept + R"(
  %8 : f32 = map () {-> x0: f32 = constant 2; x0}
  %9 : i64, %10 : f32 = fold [0] (%6, %7) from (%4, %8) {x0: i64, x1: f32, x2: i64, x3: f32 -> x4 = maximum x0 x2; x5 = mul x3 x1; x4, x5}
  return %9, %10
)");
}

TEST_CASE("filter: operators without neutral elements") {
    check_dissolves(kept + "  %8 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}\n  return %8\n");
    check_dissolves(kept + "  %8 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x1}\n  return %8\n");
    // Where the largest is, with a captured scalar.
    check_dissolves(kept + R"(
  %8 : f32 = map () {-> x0: f32 = constant 2; x0}
  %9 : i64, %10 : f32 = fold [0] (%6, %7; %4) from (%4, %8) {x0: i64, x1: f32, x2: i64, x3: f32, x4: i64 -> x5 = less x1 x3; x6 = add x2 x4; x7 = select x5 x6 x0; x8 = maximum x1 x3; x7, x8}
  return %9, %10
)");
}

TEST_CASE("filter: folds of maps of what is kept, the count with them") {
    std::string text = check(kept + R"(
  %8 : i64[%5], %9 : bool[%5] = map (%6, %7; %4) {x0: i64, x1: f32, x2: i64 -> x3: f32 = cast x0; x4 = less x3 x1; x5 = mul x0 x2; x5, x4}
  %10 : i64[%5] = map (%8, %9, %6) {x0: i64, x1: bool, x2: i64 -> x3 = select x1 x0 x2; x3}
  %11 : i64 = fold [0] (%10) from (%4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %12 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x2 = maximum x0 x1; x2}
  %13 : i64 = map (%11, %5, %12) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = sub x0 x3; x4}
  return %13
)");
    CHECK(occurrences(text, "compact") == 0);
    CHECK(occurrences(text, "fold") == 3);
}

TEST_CASE("filter: an extent that is a count") {
    check_dissolves(kept + R"(
  %8 : i64[%5] = generate (; %5) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  %9 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %8, %9
)");
}

TEST_CASE("filter: a sum of what is kept twice goes over all elements") {
    check_dissolves(kept + R"(
  %8 : bool[%5] = map (%6, %7) {x0: i64, x1: f32 -> x2: f32 = cast x0; x3 = less x2 x1; x3}
  %9 : i64, %10 : i64[%9] = compact %8 (%6)
  %11 : bool[%9] = map (%10; %4) {x0: i64, x1: i64 -> x2 = not_equal x0 x1; x2}
  %12 : i64, %13 : i64[%12] = compact %11 (%10)
  %14 : i64 = fold [0] (%13) from (%4) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %14, %12, %9
)");
}

TEST_CASE("filter: a chain of filters is one") {
    std::string text = check(kept + R"(
  %8 : bool[%5] = map (%6) {x0: i64 -> x1: i64 = constant 0; x2 = less x1 x0; x2}
  %9 : i64, %10 : i64[%9], %11 : f32[%9] = compact %8 (%6, %7)
  return %10, %11, %5
)");
    CHECK(occurrences(text, "compact") == 1);
    // If the first filter keeps its array anyway, the second reads that: it is shorter than the input.
    text = check(kept + R"(
  %8 : bool[%5] = map (%6) {x0: i64 -> x1: i64 = constant 0; x2 = less x1 x0; x2}
  %9 : i64, %10 : i64[%9] = compact %8 (%6)
  return %10, %6
)");
    CHECK(occurrences(text, "compact") == 2);
}

TEST_CASE("filter: maps move before it") {
    std::string text = check(kept + R"(
  %8 : i64[%5] = map (%6, %7; %4) {x0: i64, x1: f32, x2: i64 -> x3: i64 = cast x1; x4 = sub x3 x0; x5 = mul x4 x2; x5}
  %9 : i64[%5] = map (%8, %6) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  return %9, %5
)");
    CHECK(occurrences(text, "compact") == 1);
    CHECK(text.find("[%5] = map") == std::string::npos);
    CHECK(text.find("[%7] = compact %2 (%6)") != std::string::npos);
    // What else is needed of it stays.
    text = check(kept + R"(
  %8 : i64[%5] = map (%6) {x0: i64 -> x1 = negate x0; x1}
  %9 : i64[%5] = map_indexed (%7) {x0: i64, x1: f32 -> x0}
  return %8, %6, %9
)");
    CHECK(text.find("compact %2 (%0, %4)") != std::string::npos);
}

TEST_CASE("filter: what a map captures is defined before it moves") {
    std::string text = check(kept + R"(
  %8 : i64[%5] = map (%6; %5) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  %9 : i64[%5] = map (%8) {x0: i64 -> x1: i64 = constant 3; x2 = add x0 x1; x2}
  return %9
)");
    CHECK(occurrences(text, "[%5] = map") == 2);
}

TEST_CASE("filter: what may fail or is expensive stays behind it") {
    const std::string divided = zero + R"(
  %5 : bool[n0] = map (%0) {x0: i64 -> x1: i64 = constant 0; x2 = not_equal x0 x1; x2}
  %6 : i64, %7 : i64[%6] = compact %5 (%0)
  %8 : i64[%6] = map (%7; %4) {x0: i64, x1: i64 -> x2 = div x1 x0; x2}
)";
    check_stays(divided + "  %9 : i64 = fold [0] (%8) from (%4) " + sum + "\n  return %9\n");
    check_stays(divided + "  return %8\n");
    const std::string exponential = kept + "  %8 : f32[%5] = map (%7) {x0: f32 -> x1 = exp x0; x1}\n";
    check_stays(exponential + R"(
  %9 : f32 = map () {-> x0: f32 = constant 2; x0}
  %10 : f32 = fold [0] (%8) from (%9) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %10
)");
    check_stays(exponential + "  return %8\n");
}

TEST_CASE("filter: folds in two passes read what is kept") {
    check_stays(kept + "  %8 : i64 = fold [0] (%6) from (%4) " + sum + R"(
  %9 : i64[%5] = map (%6; %8) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
)" + "  %10 : i64 = fold [0] (%9) from (%4) " +
                sum + "\n  return %10\n");
    check_stays(kept + "  %8 : i64[%5] = map (%6; %5) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}\n" +
                "  %9 : i64 = fold [0] (%8) from (%4) " + sum + "\n  return %9\n");
}

TEST_CASE("filter: arrays that are needed elsewhere stay") {
    const std::string fold = "  %8 : i64 = fold [0] (%6) from (%4) " + sum + "\n";
    check_stays(kept + fold + "  return %8, %6\n");
    check_stays(kept + fold + "  %9 : i64[%5] = slice [(%5 - 1):-1] %6\n  return %8, %9\n");
    check_stays(kept + fold + "  %9 : i64[%5] = scan [0] (%6) from (%4) " + sum + "\n  return %8, %9\n");
    check_stays(kept + fold + "  %9 : i64[%5] = sort 1 (%6)\n  return %8, %9\n");
    check_stays(kept + fold +
                "  %9 : i64[3] = generate (; ; %6) {@0: i64^1, x0: i64 -> x1 = extent @0^0; x1}\n  return %8, %9\n");
}

TEST_CASE("filter: in bodies, and of arrays around them") {
    const std::string text = check(kept + R"(
  %8 : bool = generate (; %5) {x0: i64 -> x1: i64 = constant 3; x2 = less x0 x1; x2}
  %9 : i64 = cond %8 {
    %9 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    %10 : i64, %11 : i64[%10] = compact %3 (%0)
    %12 : i64 = fold [0] (%11) from (%9) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
    return %12
  } {
    return %4
  }
  return %9
)");
    CHECK(occurrences(text, "compact") == 1);
}

TEST_CASE("filter: both parts of a partition") {
    check_dissolves(kept + R"(
  %8 : bool[n0] = map (%2) {x0: bool -> x1 = bit_not x0; x1}
  %9 : i64, %10 : i64[%9] = compact %8 (%0)
  %11 : i64 = fold [0] (%6) from (%4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %12 : i64 = fold [0] (%10) from (%4) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %11, %12, %5, %9
)");
}
