// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads at a map's own index become arguments; the results stay what they were.
#include "enable/index/index_reads.hpp"

#include "ir/evaluate.hpp"
#include "same_results.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::enable::test;
using Catch::Contains;
using interp::ArrayValue;
using ir::Scalar;

namespace {

/// %0: i64[a0, a1], %1: i64[a1, a0], %2: i64[a0], %3: i64[a1].
std::string check(const std::string& body) {
    auto inputs = [](const Sizes& size) {
        const std::int64_t n = size[0], m = size[1];
        std::vector<ArrayValue> values;
        for (const auto& shape : {std::vector{n, m}, {m, n}, {n}, {m}}) {
            values.emplace_back(Scalar::i64, shape);
            for (std::int64_t k = 0; k < values.back().count(); ++k)
                values.back().set(k, ir::from_int64(Scalar::i64, k * 7 % 11 + static_cast<std::int64_t>(values.size())));
        }
        return values;
    };
    return after(
        enable::index_reads,
        "arguments 2\n%0 : i64[a0, a1] = input\n%1 : i64[a1, a0] = input\n%2 : i64[a0] = input\n%3 : i64[a1] = input\n" +
            body,
        {{3, 4}, {1, 5}, {0, 2}, {4, 4}}, inputs);
}

}  // namespace

TEST_CASE("index reads: along all axes, some, and in another order") {
    const std::string text = check(R"(
%4 : i64[a0, a1] = generate (; ; %0, %1, %2, %3) {@0: i64^2, @1: i64^2, @2: i64^1, @3: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x0 x1; x3: i64 = read @1 x1 x0; x4: i64 = read @2 x0; x5: i64 = read @3 x1; x6 = mul x2 x3; x7 = mul x4 x5; x8 = add x6 x7; x8}
return %4)");
    CHECK_THAT(text, Contains("transpose [1, 0] %1") && Contains("broadcast [0] %2") && Contains("broadcast [1] %3"));
    CHECK_THAT(text, Contains("= map (%0, ") && !Contains("read") && !Contains("indexed") && !Contains("@0"));
}

TEST_CASE("index reads: those at other indices stay, and with them what they need") {
    const std::string text = check(R"(
%4 : i64[a0] = map_indexed (%2; ; %0, %2) {@0: i64^2, @1: i64^1, x0: i64, x1: i64 -> x2: i64 = constant 0; x3: i64 = read @0 x0 x2; x4: i64 = read @1 x0; x5: i64 = read @1 x0; x6 = add x3 x4; x7 = add x6 x5; x8 = sub x7 x1; x8}
return %4)");
    CHECK_THAT(text, Contains("map_indexed (%2, %2; ; %0) {@0: i64^2") && Contains("read @0"));
}

TEST_CASE("index reads: in branches and loops of the function") {
    const std::string text = check(R"(
%4 : i64[a0] = map_indexed (%2; ; %2) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = constant 4; x3 = less x1 x2; x4: i64 = cond x3 {-> x4: i64 = read @0 x0; x5 = add x4 x1; x5} {-> x4: i64 = for_loop x2 x1 {x4: i64, x5: i64 -> x6: i64 = read @0 x0; x7 = add x6 x5; x7}; x4}; x4}
return %4)");
    CHECK_THAT(text, Contains("= map (%2, %2)") && !Contains("read"));
}

TEST_CASE("index reads: extents not known to be equal, an axis read twice") {
    CHECK_THAT(check(R"(
%4 : i64[1] = generate (; ; %2) {@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2: i64 = constant 1; x3: i64 = extent @0^0; x4 = less x0 x3; x5: i64 = cond x4 {-> x5: i64 = read @0 x0; x5} {-> x1}; x5}
return %4)"),
               Contains("read @0 x0"));
    CHECK_THAT(check(R"(
%4 : i64[a1, a1] = generate (; ; %3) {@0: i64^1, x0: i64, x1: i64 -> x2: i64 = read @0 x0; x3: i64 = read @0 x1; x4 = mul x2 x3; x4}
return %4)"),
               Contains("broadcast [0] %3") && Contains("broadcast [1] %3"));
}

TEST_CASE("index reads: neighbours that are kept within bounds become shifted views") {
    const std::string text = check(R"(
%4 : i64[a0, a1] = generate (; ; %0, %1, %2) {@0: i64^2, @1: i64^2, @2: i64^1, x0: i64, x1: i64 ->
  x2: i64 = constant 0;
  x3: i64 = constant 1;
  x4: i64 = constant 3;
  x5 = extent @0^0;
  x6 = extent @1^0;
  x7 = sub x0 x3;
  x8 = maximum x7 x2;
  x9: i64 = read @0 x8 x1;
  x10 = add x4 x1;
  x11 = maximum x2 x10;
  x12 = sub x6 x3;
  x13 = minimum x11 x12;
  x14: i64 = read @1 x13 x8;
  x15 = add x0 x4;
  x16 = rem x15 x5;
  x17: i64 = read @2 x16;
  x18 = add x5 x7;
  x19 = rem x18 x5;
  x20: i64 = read @2 x19;
  x21 = add x9 x14;
  x22 = add x17 x20;
  x23 = mul x21 x22;
  x23
}
return %4)");
    CHECK_THAT(text, Contains("shift clamp [-1, 0] %0") && Contains("shift clamp [3, -1] %1"));
    CHECK_THAT(text, Contains("shift wrap [3] %2") && Contains("shift wrap [-1] %2"));
    CHECK_THAT(text, !Contains("read") && !Contains("indexed") && !Contains("generate"));
}

TEST_CASE("index reads: neighbours that may leave the array stay, as does what is kept within other bounds") {
    for (const char* index :
         {"x5 = add x0 x2; x6 = maximum x5 x1", "x5 = sub x0 x2; x6 = minimum x5 x4", "x5 = add x0 x2; x6 = minimum x5 x3",
          "x5 = sub x0 x2; x6 = maximum x5 x2", "x5 = mul x0 x2; x6 = minimum x5 x4", "x5 = sub x4 x0; x6 = maximum x5 x1",
          "x5 = sub x0 x2; x6 = rem x5 x3", "x5 = maximum x0 x2; x6 = minimum x5 x4"}) {
        const std::string body = std::string(R"(
%4 : i64[a0] = generate (; ; %2) {@0: i64^1, x0: i64 -> x1: i64 = constant 0; x2: i64 = constant 1; x3 = extent @0^0; x4 = sub x3 x2; )") +
                                 index + R"(; x7 = less_equal x1 x6; x8 = less x6 x3; x9 = bit_and x7 x8; )" +
                                 R"(x10: i64 = cond x9 {-> x10: i64 = read @0 x6; x10} {-> x1}; x10}
return %4)";
        CHECK_THAT(check(body), Contains("read @0 x6"));
    }
}

TEST_CASE("index reads: each axis has a boundary of its own") {
    const std::string text = check(R"(
%4 : i64[a0, a1] = generate (; ; %0) {@0: i64^2, x0: i64, x1: i64 -> x2: i64 = constant 0; x3: i64 = constant 1; x4 = sub x0 x3; x5 = maximum x4 x2; x6 = extent @0^1; x7 = add x1 x3; x8 = rem x7 x6; x9: i64 = read @0 x5 x8; x9}
return %4)");
    CHECK_THAT(text, Contains("shift clamp [-1, 0] %0") && Contains("shift wrap [0, 1]") && !Contains("read"));
}

TEST_CASE("index reads: neighbours of what is made, which a condition keeps inside") {
    // x0 is the index, x1 the extent, x2 = 1, x3 = 0, x4 = x1 - 1; one is chosen where the condition x5 holds
    const auto text = [](const std::string& condition, const std::string& yes, const std::string& no) {
        return check(
            "%4 : i64[a0] = map (%2) {x0: i64 -> x1 = mul x0 x0; x1}\n"
            "%5 : i64[a0] = generate (; ; %4) {@0: i64^1, x0: i64 -> x1 = extent @0^0; x2: i64 = constant 1; "
            "x3: i64 = constant 0; x4 = sub x1 x2; " +
            condition + "; x6: i64 = cond x5 {-> " + yes + "} {-> " + no + "}; x6}\nreturn %5");
    };
    const std::string before = "x6 = sub x0 x2; x7: i64 = read @0 x6; x7",
                      behind = "x6 = add x0 x2; x7: i64 = read @0 x6; x7";
    const std::string zero = "x3";
    for (const char* condition : {"x5 = greater x0 x3", "x5 = greater_equal x0 x2", "x5 = less x3 x0",
                                  "x5 = less_equal x2 x0", "x5 = not_equal x0 x3", "x5 = not_equal x3 x0"})
        CHECK_THAT(text(condition, before, zero), Contains("shift clamp [-1] %4") && !Contains("read"));
    for (const char* condition : {"x5 = less_equal x0 x3", "x5 = equal x0 x3"})
        CHECK_THAT(text(condition, zero, before), Contains("shift clamp [-1] %4") && !Contains("read"));
    for (const char* condition : {"x5 = less x0 x4", "x5 = greater x4 x0", "x5 = not_equal x4 x0"})
        CHECK_THAT(text(condition, behind, zero), Contains("shift clamp [1] %4") && !Contains("read"));
    for (const char* condition : {"x5 = greater_equal x0 x4", "x5 = equal x0 x4"})
        CHECK_THAT(text(condition, zero, behind), Contains("shift clamp [1] %4") && !Contains("read"));
    // Both sides of a conjunction.
    CHECK_THAT(
        check("%4 : i64[a0] = map (%2) {x0: i64 -> x1 = mul x0 x0; x1}\n"
              "%5 : i64[a0] = generate (; ; %4) {@0: i64^1, x0: i64 -> x1 = extent @0^0; x2: i64 = constant 1; x3: i64 = "
              "constant 0; x4 = sub x1 x2; x5 = greater x0 x3; x6 = less x0 x4; x7 = bit_and x5 x6; x8: i64 = cond x7 {-> "
              "x8 = sub x0 x2; x9: i64 = read @0 x8; x10 = add x0 x2; x11: i64 = read @0 x10; x12 = add x9 x11; x12} "
              "{-> x3}; x8}\nreturn %5"),
        Contains("shift clamp [-1] %4") && Contains("shift clamp [1] %4") && !Contains("read"));
    // What the condition does not keep inside stays, where the branch is never executed.
    for (const char* condition : {"x5 = less x0 x3", "x5 = greater_equal x0 x1", "x5 = less x1 x3"})
        for (const std::string& read : {before, behind}) CHECK_THAT(text(condition, read, zero), Contains("read @0 x6"));
}
