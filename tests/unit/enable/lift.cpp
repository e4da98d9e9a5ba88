// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifted programs compute what programs with vmap do: one test a rule.
#include "lift_check.hpp"

using namespace lifting;

TEST_CASE("lift: maps of batched and shared arrays, of captured scalars, of rank 0") {
    check_body(R"(
  %5 : i64[n0.1] = map (%3, %2, %4) {x0: i64, x1: i64, x2: i64 -> x3 = sub x0 x1; x4 = mul x3 x2; x4}
  return %5
)");
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64 = map (%6, %5) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  %8 : i64[n0.1] = map (%4, %2; %5, %7) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = mul x0 x3; x5 = sub x4 x2; x6 = add x5 x1; x6}
  return %8
)");
}

TEST_CASE("lift: results that no slice changes are repeated") {
    check_body("  %5 : i64[n0.1] = map (%2) {x0: i64 -> x1 = negate x0; x1}\n  return %5\n");
    check_body("  return %2\n");
    check_body("  return %4\n");
}

TEST_CASE("lift: indices shift by one, captured arrays are read at the slice's position") {
    check_body(R"(
  %5 : i64[n0.1] = map_indexed (%3; ; %4, %2) {@0: i64^1, @1: i64^1, x0: i64, x1: i64 -> x2 = extent @0^0; x3: i64 = constant 1; x4 = sub x2 x3; x5 = sub x4 x0; x6: i64 = read @0 x5; x7: i64 = read @1 x0; x8 = mul x6 x7; x9 = add x1 x8; x9}
  return %5
)");
    check_body(R"(
  %5 : i64[n0.1, n0.1] = generate (; ; %3, %4) {@0: i64^1, @1: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x0; x3: i64 = read @1 x1; x4 = mul x2 x3; x5 = add x4 x1; x5}
  return %5
)",
               "i64[n0, n0.1, n0.1]");
    check_body(R"(
  %5 : i64 = generate (; ; %3) {@0: i64^1 -> x0 = extent @0^0; x1: i64 = constant 1; x2 = sub x0 x1; x3: i64 = read @0 x2; x3}
  return %5
)",
               "i64[n0]");
}

TEST_CASE("lift: folds, with inits and captures of the slice") {
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold commutative [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = maximum x0 x1; x2}
  %7 : i64 = fold [0] (%2) from (%6) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %8 : i64 = fold [0] (%4; %6, %5) from (%5) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = minimum x1 x2; x5 = add x0 x4; x6 = add x5 x3; x6}
  %9 : i64 = map (%7, %8) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %9
)",
               "i64[n0]");
    // Two axes of three are left: scalars of the slice become one value per line.
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64[n0.1, n0.1, 3] = generate (; ; %3, %4) {@0: i64^1, @1: i64^1, x0: i64, x1: i64, x2: i64 -> x3: i64 = read @0 x0; x4: i64 = read @1 x1; x5 = mul x3 x4; x6 = add x5 x2; x6}
  %8 : i64[n0.1] = fold [1, 2] (%7; %6, %5) from (%6) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = mul x1 x2; x5 = add x4 x3; x6 = add x0 x5; x6}
  return %8
)");
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %6 : i64 = fold [0] (%3; ; %4) from (%5) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = constant 0; x3: i64 = read @0 x2; x4 = mul x1 x3; x5 = add x0 x4; x5}
  return %6
)",
               "i64[n0]");
}

TEST_CASE("lift: scans of all kinds") {
    for (const char* kind : {"", "exclusive ", "reverse ", "exclusive reverse "})
        check_body(std::string(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64[n0.1] = scan )") +
                   kind + R"([0] (%4; %6) from (%6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
  return %7
)");
    check_body(R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %7 : i64[2, n0.1] = generate (; ; %3) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x1; x3 = add x2 x0; x3}
  %8 : i64[2, n0.1], %9 : i64[n0.1] = scan totals [0] (%7; %6) from (%6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
  return %9
)");
    check_body("  %5 : i64[n0.1] = scan [0] (%3) from () {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n  return %5\n");
}

TEST_CASE("lift: views leave the outermost axis alone") {
    const char* product =
        "  %5 : i64[n0.1, 3] = generate (; ; %3) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x0; x3 = mul x2 x1; "
        "x3}\n";
    auto with = [&](const char* rest, std::string_view type) { check_body(std::string(product) + rest, type); };
    with("  %6 : i64[3, n0.1] = transpose [1, 0] %5\n  return %6\n", "i64[n0, 3, n0.1]");
    with("  %6 : i64[n0.1, 2] = slice [(n0.1 - 1):-1, 2:-2] %5\n  return %6\n", "i64[n0, n0.1, 2]");
    with("  %6 : i64[2, n0.1, 4, 3] = broadcast [1, 3] %5\n  return %6\n", "i64[n0, 2, n0.1, 4, 3]");
    with("  %6 : i64[(n0.1 * 3)] = reshape %5\n  return %6\n", "i64[n0, (n0.1 * 3)]");
    for (const char* boundary : {"clamp", "wrap", "symmetric", "reflect"})
        with((std::string("  %6 : i64[n0.1, 3] = shift ") + boundary + " [1, -2] %5\n  return %6\n").c_str(),
             "i64[n0, n0.1, 3]");
}

TEST_CASE("lift: padding, with a value of the slice or of all") {
    const char* scalars = R"(
  %5 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %6 : i64 = fold [0] (%3) from (%5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
)";
    for (const char* arg : {"%4", "%2"})
        for (const char* fill : {"%5", "%6"})
            check_body(
                std::string(scalars) + "  %7 : i64[(n0.1 + 3)] = pad [-2:1] " + arg + " else " + fill + "\n  return %7\n",
                "i64[n0, (n0.1 + 3)]");
}

TEST_CASE("lift: gathers from the slice's arrays and from shared ones") {
    const char* indices = R"(
  %5 : i64[7] = generate (; ; %3) {@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2: i64 = read @0 x1; x3 = add x2 x0; x4 = abs x3; x5 = extent @0^0; x6 = rem x4 x5; x6}
  %6 : i64[7] = generate (; ; %2) {@0: i64^1, x0: i64 -> x1 = extent @0^0; x2 = rem x0 x1; x2}
)";
    for (const char* index : {"%5", "%6"})
        check_body(std::string(indices) + "  %7 : i64[7], %8 : i64[7], %9 : i64[7] = gather (" + index +
                       ") (%3, %2, %4)\n  %10 : i64[7] = map (%7, %8, %9) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 "
                       "= sub x3 x2; x4}\n  return %10\n",
                   "i64[n0, 7]");
}

TEST_CASE("lift: scatters, sorts and forces") {
    for (const char* form :
         {"scatter (%5) at (%6) (%4)", "scatter drops (%5) at (%7) (%4)",
          "scatter (%2) at (%6) (%2; %8) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}",
          "scatter (%4) at (%9) (%2)"})
        check_body(std::string(R"(
  %5 : i64[n0.1] = generate () {x0: i64 -> x0}
  %6 : i64[n0.1] = map_indexed (%3) {x0: i64, x1: i64 -> x0}
  %7 : i64[n0.1] = map_indexed (%3) {x0: i64, x1: i64 -> x2: i64 = constant 0; x3 = less x1 x2; x4: i64 = constant -1; x5 = select x3 x4 x0; x5}
  %8 : i64 = generate () {-> x0: i64 = constant 3; x0}
  %9 : i64[n0.1] = generate () {x0: i64 -> x0}
  %10 : i64[n0.1] = )") +
                   form + "\n  return %10\n");
    check_body(R"(
  %5 : i64[n0.1], %6 : i64[n0.1], %7 : i64[n0.1] = sort descending 2 (%3, %2, %4)
  %8 : i64[n0.1], %9 : i64[n0.1] = force (%7, %2)
  %10 : i64[n0.1] = map (%8, %9) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %10
)");
}
