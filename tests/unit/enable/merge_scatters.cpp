// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters at the same indices become one; the results stay what they were.
#include "enable/merge_scatters.hpp"

#include "ir/evaluate.hpp"
#include "same_results.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::enable::test;
using Catch::Contains;
using interp::ArrayValue;
using ir::Scalar;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t result = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
    return result;
}

/// %0: i64[a0], %1: i64[a0], %2: i64[a1], %3: i64[a1], %4: i64. Elements of %0 are indices of %2.
std::string check(const std::string& body) {
    auto inputs = [](const Sizes& size) {
        std::vector<ArrayValue> values;
        for (std::int64_t extent : {size[0], size[0], size[1], size[1]}) {
            const bool indices = values.empty();
            values.emplace_back(Scalar::i64, std::vector{extent});
            for (std::int64_t k = 0; k < extent; ++k)
                values.back().set(k, ir::from_int64(Scalar::i64, indices ? k % size[1] : k * 7 % 11));
        }
        values.emplace_back(Scalar::i64, std::vector<std::int64_t>{});
        values.back().set(0, ir::from_int64(Scalar::i64, 3));
        return values;
    };
    return after(enable::merge_scatters,
                 "arguments 2\n%0 : i64[a0] = input\n%1 : i64[a0] = input\n%2 : i64[a1] = input\n%3 : i64[a1] = input\n"
                 "%4 : i64 = input" +
                     body,
                 {{0, 2}, {1, 1}, {9, 4}}, inputs);
}

const std::string plus = "{x0: i64, x1: i64 -> x2 = add x0 x1; x2}";

}  // namespace

TEST_CASE("merge scatters: sums, maxima and an operator with a scalar, and what they need in between") {
    const std::string text = check(R"(
%5 : i64[a1] = scatter drops (%2) at (%0) (%1; %4) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = add x0 x3; x4}
%6 : i64[a0] = map (%1) {x0: i64 -> x1 = mul x0 x0; x1}
%7 : i64[a1] = map (%3) {x0: i64 -> x1 = negate x0; x1}
%8 : i64[a1], %9 : i64[a1] = scatter drops (%7, %3) at (%0) (%6, %1) {x0: i64, x1: i64, x2: i64, x3: i64 -> x4 = maximum x0 x2; x5 = minimum x1 x3; x4, x5}
%10 : i64[a1] = map (%5) {x0: i64 -> x1 = add x0 x0; x1}
%11 : i64[a1] = scatter drops (%3) at (%0) (%6) )" +
                                   plus + R"(
return %8, %11, %10, %9, %5)");
    CHECK(count(text, "scatter") == 1);
    CHECK_THAT(text, Contains("at (%0)") && Contains("; %4) {x0: i64, x1: i64, x2: i64, x3: i64, x4: i64"));
}

TEST_CASE("merge scatters: one that needs another's result stays, as do those at other indices or of other shapes") {
    CHECK(count(check(R"(
%5 : i64[a1] = scatter (%2) at (%0) (%1) )" +
                      plus + R"(
%6 : i64[a1] = scatter (%5) at (%0) (%1) )" +
                      plus + R"(
%7 : i64[a0] = map (%0; ; %6) {@0: i64^1, x0: i64 -> x1: i64 = read @0 x0; x1}
%8 : i64[a1] = scatter (%3) at (%0) (%7) )" +
                      plus + R"(
return %6, %8)"),
                "scatter") == 3);
    CHECK(count(check(R"(
%5 : i64[a0] = map (%0) {x0: i64 -> x1: i64 = constant 0; x2 = minimum x0 x1; x2}
%6 : i64[a1] = scatter (%2) at (%0) (%1) )" +
                      plus + R"(
%7 : i64[a1] = scatter (%3) at (%5) (%1) )" +
                      plus + R"(
%8 : i64[a1] = scatter drops (%3) at (%0) (%1) )" +
                      plus + R"(
%9 : i64[a1] = scatter (%3) at (%5) (%5)
return %6, %7, %8, %9)"),
                "scatter") == 4);
}

TEST_CASE("merge scatters: in bodies, and no more arrays than are near each other") {
    CHECK(count(check(R"(
%5 : i64[a1], %6 : i64[a1] = for %4 (%2, %3) {
  %5 : i64 = param
  %6 : i64[a1] = param
  %7 : i64[a1] = param
  %8 : i64[a1] = scatter (%6) at (%0) (%1) )" +
                      plus + R"(
  %9 : i64[a1] = scatter (%7) at (%0) (%0) )" +
                      plus + R"(
  return %9, %8
}
return %5, %6)"),
                "scatter") == 1);
    std::string many, results;
    for (int k = 0; k < 10; ++k) {
        many += "\n%" + std::to_string(5 + k) + " : i64[a1] = scatter (%2) at (%0) (%1) " + plus;
        results += (k == 0 ? "%" : ", %") + std::to_string(5 + k);
    }
    CHECK(count(check(many + "\nreturn " + results), "scatter") == 2);
}
