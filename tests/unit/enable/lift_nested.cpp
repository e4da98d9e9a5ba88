// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifted programs compute what programs with vmap do: vmaps in vmaps, what cannot be lifted, and how the result looks.
#include "lift_check.hpp"

using namespace lifting;

TEST_CASE("lift: matrix product by nested vmaps") {
    for (Extents e : {Extents{3, 4, 2}, Extents{1, 1, 1}, Extents{0, 2, 3}, Extents{2, 0, 3}, Extents{2, 3, 0}}) {
        check_lifted(R"(guard n1 = n0.1 "the inner extents"
%0 : f32[n0, n0.1] = input
%1 : f32[n0.1, n1.1] = input
%2 : f32[n1.1, n0.1] = transpose [1, 0] %1
%3 : f32[n0, n1.1] = vmap (%0) {
  %3 : f32[n0.1] = param
  %4 : f32[n1.1] = vmap (%2) {
    %4 : f32[n0.1] = param
    %5 : f32[n0.1] = map (%3, %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
    %6 : f32 = generate () {-> x0: f32 = constant 0; x0}
    %7 : f32 = fold commutative [0] (%5) from (%6) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
    return %7
  }
  return %4
}
return %3
)",
                     {floats({e[0], e[1]}), floats({e[1], e[2]})});
    }
}

TEST_CASE("lift: three vmaps deep, with variables of every depth") {
    for (Extents e : {Extents{2, 3, 4}, Extents{1, 1, 1}, Extents{0, 2, 3}, Extents{2, 0, 3}, Extents{2, 3, 0}}) {
        check_lifted(R"(%0 : i64[n0, n0.1, n0.2] = input
%1 : i64[n1] = input
%2 : i64[n0, n0.1, n0.2, n1] = vmap (%0) {
  %2 : i64[n0.1, n0.2] = param
  %3 : i64 = generate () {-> x0: i64 = constant 1; x0}
  %4 : i64 = fold [0, 1] (%2) from (%3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %5 : i64[n0.1, n0.2, n1] = vmap (%2) {
    %5 : i64[n0.2] = param
    %6 : i64 = fold [0] (%5; %4) from (%4) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
    %7 : i64[n0.2, n1] = vmap (%5) {
      %7 : i64 = param
      %8 : i64[n1] = map_indexed (%1; %7, %6, %4; %5) {@0: i64^1, x0: i64, x1: i64, x2: i64, x3: i64, x4: i64 -> x5: i64 = constant 0; x6: i64 = read @0 x5; x7 = mul x1 x2; x8 = sub x7 x3; x9 = mul x8 x4; x10 = add x9 x6; x11 = add x10 x0; x11}
      %9 : i64[n1] = scan [0] (%8; %7) from (%6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
      return %9
    }
    return %7
  }
  return %5
}
return %2
)",
                     {ints(e), ints({3})});
    }
}

TEST_CASE("lift: vmaps in branches and loops, of what a filter leaves") {
    for (std::uint64_t yes : {0u, 1u}) {
        check_lifted(R"(%0 : i64[n0, n0.1] = input
%1 : bool[n0.1] = input
%2 : bool = input
%3 : i64[n0, n0.1] = cond %2 {
  %3 : i64 = generate () {-> x0: i64 = constant 2; x0}
  %4 : i64[n0, n0.1] = for %3 (%0) {
    %4 : i64 = param
    %5 : i64[n0, n0.1] = param
    %6 : i64[n0, n0.1] = vmap (%5) {
      %6 : i64[n0.1] = param
      %7 : i64[n0.1] = scan [0] (%6; %4) from () {x0: i64, x1: i64, x2: i64 -> x3 = add x0 x1; x3}
      return %7
    }
    return %6
  }
  return %4
} {
  return %0
}
%4 : i64[n0.1, n0] = transpose [1, 0] %3
%5 : i64[n0.1] = generate () {x0: i64 -> x0}
%6 : i64, %7 : i64[%6] = compact %1 (%5)
%8 : i64[%6, n0] = vmap (%7) {
  %8 : i64 = param
  %9 : i64[n0] = generate (; %8; %4) {@0: i64^2, x0: i64, x1: i64 -> x2: i64 = read @0 x1 x0; x2}
  %10 : i64 = generate () {-> x0: i64 = constant 0; x0}
  %11 : i64, %12 : i64[n0] = while (%10, %9) {
    %11 : i64 = param
    %12 : i64[n0] = param
    %13 : bool = map (%11, %8) {x0: i64, x1: i64 -> x2 = less x0 x1; x2}
    return %13
  } {
    %11 : i64 = param
    %12 : i64[n0] = param
    %13 : i64 = map (%11) {x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x2}
    %14 : i64[n0] = map (%12; %6) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
    return %13, %14
  }
  return %12
}
return %3, %6, %8
)",
                     {ints({3, 4}), bools({1, 0, 1, 1}), ArrayValue(Scalar::boolean, {}, std::vector<std::uint64_t>{yes})});
    }
}

TEST_CASE("lift: guards on values keep their variables") {
    check_lifted(R"(guard %4 = 3 "three are kept"
%0 : i64[n0, n0.1] = input
%1 : bool[n0.1] = input
%2 : i64 = generate () {-> x0: i64 = constant 3; x0}
%3 : i64[n0] = vmap (%0) {
  %3 : i64[n0.1] = param
  %4 : i64 = fold [0] (%3; %2) from (%2) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
  %5 : i64 = map (%4, %2) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  return %5
}
%4 : i64, %5 : bool[%4] = compact %1 (%1)
return %3
)",
                 {ints({3, 4}), bools({1, 0, 1, 1})});
}

TEST_CASE("lift: what cannot be flat becomes a loop over the slices") {
    const std::string head = R"(%0 : i64[n0, n0.1] = input
%1 : i64 = vmap (%0) {
  %1 : i64[n0.1] = param
  %2 : bool[n0.1] = map (%1) {x0: i64 -> x1: i64 = constant 0; x2 = less x0 x1; x2}
  %3 : i64 = generate (; ; %1) {@0: i64^1 -> x0: i64 = constant 0; x1: i64 = read @0 x0; x1}
)";
    auto check_each = [&](std::string_view body, std::string_view type) {
        std::string text = head + std::string(body) + "}\nreturn %1\n";
        text.replace(text.find("%1 : i64 ="), 10, "%1 : " + std::string(type) + " =");
        check_lifted(text, {ints({3, 4})});
    };
    check_each("  %4 : i64, %5 : i64[%4] = compact %2 (%1)\n  return %4\n", "i64[n0]");
    check_each(
        "  %4 : i64 = map (%3) {x0: i64 -> x1 = mul x0 x0; x1}\n  %5 : i64[%4] = generate () {x0: i64 -> x0}\n"
        "  %6 : i64 = fold [0] (%5) from (%3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n  return %6\n",
        "i64[n0]");
    check_each(
        "  %4 : i64[n0.1] = generate (; ; %1) {@0: i64^1, x0: i64 -> x0}\n"
        "  %5 : i64[n0.1] = scatter (%1) at (%4) (%1; %3) {x0: i64, x1: i64, x2: i64 -> x3 = add x0 x1; x4 "
        "= add x3 x2; x4}\n  return %5\n",
        "i64[n0, n0.1]");
}

namespace {

std::string lifted_text(std::string_view text) { return ir::print(enable::lift(program(text))); }

}  // namespace

TEST_CASE("lift: what is made is what one would write without vmap") {
    CHECK(lifted_text(R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0] = vmap (%0) {
  %1 : f32[n0.1] = param
  %2 : f32 = map () {-> x0: f32 = constant 0; x0}
  %3 : f32 = fold commutative [0] (%1) from (%2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %3
}
return %1
)") == R"(%0 : f32[n0, n0.1] = input
%1 : f32 = map () {-> x0: f32 = constant 0; x0}
%2 : f32[n0] = fold commutative [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2
)");
    CHECK(lifted_text(R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0] = input
%2 : i64[n2] = input
%3 : f32[n0, n2] = vmap (%0, %1) {
  %3 : f32[n0.1] = param
  %4 : f32 = param
  %5 : i64[n2] = map (%2) {x0: i64 -> x1 = abs x0; x1}
  %6 : f32[n2], %7 : i64[n2] = gather (%5) (%3, %5)
  %8 : f32[n2] = map (%6; %4) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
  return %8
}
return %3
)") == R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0] = input
%2 : i64[n2] = input
%3 : i64[n2] = map (%2) {x0: i64 -> x1 = abs x0; x1}
%4 : i64[n2] = gather (%3) (%3)
%5 : i64[n0, n2] = generate () {x0: i64, x1: i64 -> x0}
%6 : i64[n0, n2] = broadcast [1] %3
%7 : f32[n0, n2] = gather (%5, %6) (%0)
%8 : f32[n0, n2] = broadcast [0] %1
%9 : f32[n0, n2] = map (%7, %8) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
return %9
)");
}

TEST_CASE("lift: programs without vmap stay as they are") {
    const char* text = R"(%0 : f32[n0, n0.1] = input
%1 : f32[n0, n0.1] = map (%0) {x0: f32 -> x1 = negate x0; x1}
return %1
)";
    CHECK(lifted_text(text) == text);
}

TEST_CASE("lift: functions that may fail are masked in branches only") {
    const std::string head = R"(%0 : i64[n0] = input
%1 : i64[n0] = vmap (%0) {
  %1 : i64 = param
)";
    const std::string divided = "map (%1) {x0: i64 -> x1: i64 = constant 100; x2 = div x1 x0; x2}\n";
    CHECK(lifted_text(head + "  %2 : i64 = " + divided + "  return %2\n}\nreturn %1\n").find("cond") == std::string::npos);
    std::string masked = lifted_text(head +
                                     R"(  %2 : bool = map (%1) {x0: i64 -> x1: i64 = constant 0; x2 = not_equal x0 x1; x2}
  %3 : i64 = cond %2 {
    %3 : i64 = )" + divided + R"(    return %3
  } {
    %3 : i64 = map (%1) {x0: i64 -> x1 = negate x0; x1}
    return %3
  }
  return %3
}
return %1
)");
    CHECK(masked.find("cond x1 {") != std::string::npos);
    CHECK(masked.find("cond", masked.find("cond x1 {") + 1) == std::string::npos);
}
