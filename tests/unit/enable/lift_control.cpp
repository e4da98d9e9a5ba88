// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifted programs compute what programs with vmap do: branches and loops.
#include "lift_check.hpp"

using namespace lifting;

namespace {

/// %5 is true, %6 depends on the slice, %7 is a number of the slice.
const std::string choice = R"(
  %5 : bool = generate () {-> x0: bool = constant true; x0}
  %6 : bool = generate (; ; %3) {@0: i64^1 -> x0: i64 = constant 0; x1: i64 = read @0 x0; x2 = less x0 x1; x2}
  %7 : i64 = generate (; ; %4) {@0: i64^1 -> x0: i64 = constant 0; x1: i64 = read @0 x0; x1}
)";

}  // namespace

TEST_CASE("lift: branches, chosen for all or by slice") {
    for (const char* condition : {"%5", "%6"}) {
        check_body(choice + "  %8 : i64[n0.1], %9 : i64[n0.1], %10 : i64 = cond " + condition + R"( {
    %8 : i64[n0.1] = map (%3; %7) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
    return %8, %2, %7
  } {
    %8 : i64 = map (%7) {x0: i64 -> x1 = negate x0; x1}
    return %2, %2, %8
  }
  %11 : i64[n0.1] = map (%8, %9; %10) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = sub x3 x2; x4}
  return %11
)");
    }
}

TEST_CASE("lift: a branch fails only in slices that take it") {
    // A division by 0 where the condition is false.
    check_body(choice + R"(
  %8 : i64 = cond %6 {
    %8 : i64 = generate (; %6) {x0: bool -> x1: i64 = cast x0; x2: i64 = constant 100; x3 = div x2 x1; x3}
    return %8
  } {
    return %7
  }
  return %8
)",
               "i64[n0]");
    // Indices, divisors and places that are out of range where it is false.
    check_body(choice + R"(
  %8 : i64[n0.1], %9 : i64, %10 : i64[n0.1] = cond %6 {
    %8 : i64[n0.1] = generate (; %6) {x0: i64, x1: bool -> x2: i64 = cast x1; x3: i64 = constant 1; x4 = sub x2 x3; x5: i64 = constant 1000; x6 = mul x4 x5; x7: i64 = constant 0; x8 = mul x0 x7; x9 = add x6 x8; x9}
    %9 : i64[n0.1], %10 : i64[n0.1] = gather (%8) (%3, %2)
    %11 : i64 = fold [0] (%9; %6) from (%7) {x0: i64, x1: i64, x2: bool -> x3: i64 = cast x2; x4 = div x1 x3; x5 = add x0 x4; x5}
    %12 : i64[n0.1] = generate (; %6) {x0: i64, x1: bool -> x2: i64 = cast x1; x3: i64 = constant 1; x4 = sub x2 x3; x5 = add x0 x4; x5}
    %13 : i64[n0.1] = scatter (%10) at (%12) (%4)
    return %9, %11, %13
  } {
    return %4, %7, %2
  }
  %11 : i64[n0.1] = map (%8, %10; %9) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = sub x3 x2; x4}
  return %11
)");
}

TEST_CASE("lift: a scatter that slices share fails only where one needs it") {
    check_body(choice + R"(
  %8 : bool = map (%7) {x0: i64 -> x1 = not_equal x0 x0; x1}
  %9 : i64[n0.1] = cond %8 {
    %9 : i64[n0.1] = map (%2) {x0: i64 -> x1: i64 = constant 1000; x2 = add x0 x1; x2}
    %10 : i64[n0.1] = scatter (%2) at (%9) (%2)
    return %10
  } {
    return %2
  }
  return %9
)");
}

TEST_CASE("lift: loops, as long for all or by slice") {
    // A counted loop; the count is the same for all, or the slice's.
    for (const char* count : {"%8", "%9", "%7"})
        check_body(choice + R"(
  %8 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %9 : i64 = map (%7) {x0: i64 -> x1 = abs x0; x1}
  %10 : i64[n0.1], %11 : i64, %12 : i64[n0.1] = for )" +
                   count + R"( (%2, %8, %2) {
    %10 : i64 = param
    %11 : i64[n0.1] = param
    %12 : i64 = param
    %13 : i64[n0.1] = param
    %14 : i64[n0.1] = map (%11, %3; %10, %12) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = mul x1 x2; x5 = add x0 x4; x6 = sub x5 x3; x6}
    %15 : i64 = map (%12, %10) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    %16 : i64[n0.1] = map (%13; %15) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
    return %14, %15, %16
  }
  %13 : i64[n0.1] = map (%10, %12; %11) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = sub x3 x2; x4}
  return %13
)");
}

TEST_CASE("lift: a state that becomes the slice's after some iterations") {
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64[n0.1], %7 : i64[n0.1], %8 : i64[n0.1] = for %5 (%2, %2, %2) {
    %6 : i64 = param
    %7 : i64[n0.1] = param
    %8 : i64[n0.1] = param
    %9 : i64[n0.1] = param
    return %8, %9, %3
  }
  return %6
)");
}

TEST_CASE("lift: while loops, of which every slice has its own number of iterations") {
    // The first element grows to the limit; reading there is an error that only a slice that is done would make.
    for (const char* limit : {"%8", "%9"})
        check_body(choice + R"(
  %8 : i64 = generate (; ; %2) {@0: i64^1 -> x0 = extent @0^0; x0}
  %9 : i64 = map (%7, %8) {x0: i64, x1: i64 -> x2 = minimum x0 x1; x2}
  %10 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %11 : i64, %12 : i64[n0.1] = while (%10, %2) {
    %11 : i64 = param
    %12 : i64[n0.1] = param
    %13 : bool = map (%11, )" +
                   limit + R"() {x0: i64, x1: i64 -> x2 = less x0 x1; x2}
    return %13
  } {
    %11 : i64 = param
    %12 : i64[n0.1] = param
    %13 : i64 = generate (; %11; %3) {@0: i64^1, x0: i64 -> x1: i64 = read @0 x0; x1}
    %14 : i64[n0.1] = map (%12; %13) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    %15 : i64 = map (%11) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
    return %15, %14
  }
  return %12
)");
}

TEST_CASE("lift: loops in branches in loops") {
    check_body(choice + R"(
  %8 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %9 : i64 = map (%7) {x0: i64 -> x1 = abs x0; x1}
  %10 : i64, %11 : i64 = while (%8, %9) {
    %10 : i64 = param
    %11 : i64 = param
    %12 : bool = map (%10, %11) {x0: i64, x1: i64 -> x2 = less x0 x1; x2}
    return %12
  } {
    %10 : i64 = param
    %11 : i64 = param
    %12 : bool = map (%10) {x0: i64 -> x1: i64 = constant 1; x2 = bit_and x0 x1; x3 = equal x1 x2; x3}
    %13 : i64 = cond %12 {
      %13 : i64 = for %10 (%11) {
        %13 : i64 = param
        %14 : i64 = param
        %15 : i64 = map (%14) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
        return %15
      }
      %14 : i64 = while (%13) {
        %14 : i64 = param
        %15 : bool = map (%14; %9) {x0: i64, x1: i64 -> x2 = less x1 x0; x2}
        return %15
      } {
        %14 : i64 = param
        %15 : i64 = map (%14) {x0: i64 -> x1: i64 = constant 2; x2 = sub x0 x1; x2}
        return %15
      }
      return %14
    } {
      return %11
    }
    %14 : i64 = map (%10) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
    return %14, %13
  }
  %12 : i64 = map (%10, %11) {x0: i64, x1: i64 -> x2: i64 = constant 100; x3 = mul x0 x2; x4 = add x3 x1; x4}
  return %12
)",
               "i64[n0]");
}

TEST_CASE("lift: extents of a slice are those of all slices: a loop of that many iterations needs no mask") {
    const std::string loop = R"(
  %5 : i64 = generate (; ; %3) {@0: i64^1 -> x0: i64 = extent @0^0; x1: i64 = constant 1; x2 = sub x0 x1; x2}
  %6 : i64 = for %5 (%5) {
    %6 : i64 = param
    %7 : i64 = param
    %8 : i64 = gather (%6) (%4)
    %9 : i64 = map (%7, %8) {x0: i64, x1: i64 -> x2: i64 = constant 3; x3 = mul x0 x2; x4 = add x3 x1; x4}
    return %9
  }
  return %6
)";
    check_body(loop, "i64[n0]");
    const std::string lifted =
        ir::print(enable::lift(program("%0 : i64[n0, n0.1] = input\n%1 : i64[n0, n0.1] = input\n"
                                       "%2 : i64[n0.1] = input\n%3 : i64[n0] = vmap (%0, %1) {\n"
                                       "  %3 : i64[n0.1] = param\n  %4 : i64[n0.1] = param\n" +
                                       loop + "}\nreturn %3\n")));
    INFO(lifted);
    CHECK(lifted.find("extent @0^1") != std::string::npos);
    CHECK(lifted.find("maximum") == std::string::npos);
    CHECK(lifted.find("select") == std::string::npos);
}
