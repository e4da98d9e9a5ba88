// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of folds become one where that means the same.
#include "enable/red_flat.hpp"

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

const std::string add = " {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n";

/// The pass on programs with the input %0: i64[n0, n0.1, n0.2], the constants %1 = 0 and %2 = 5.
std::string check(const std::string& body) {
    ir::Program before = ir::parse(R"(%0 : i64[n0, n0.1, n0.2] = input
%1 : i64 = map () {-> x0: i64 = constant 0; x0}
%2 : i64 = map () {-> x0: i64 = constant 5; x0}
)" + body);
    ir::verify(before);
    ir::Program after = enable::red_flat(before);
    std::string text = ir::print(after);
    INFO(text);
    ir::verify(after);
    for (std::vector<std::int64_t> shape : {std::vector<std::int64_t>{2, 3, 4}, {0, 2, 3}, {3, 0, 2}, {1, 1, 1}}) {
        ArrayValue input(Scalar::i64, shape);
        for (std::int64_t k = 0; k < input.count(); ++k) input.set(k, ir::from_int64(Scalar::i64, k * 7 % 11 - 4));
        const auto expected = interp::interpret(before, {input}, {}), actual = interp::interpret(after, {input}, {});
        for (std::size_t k = 0; k < expected.size(); ++k) CHECK(same_values(expected[k], actual[k]));
    }
    return text;
}

}  // namespace

TEST_CASE("red_flat: sums of sums, along any axes") {
    CHECK_THAT(check("%3 : i64[n0, n0.1] = fold commutative [2] (%0) from (%1)" + add +
                     "%4 : i64 = fold commutative [0, 1] (%3) from (%2)" + add + "return %4"),
               Contains("fold commutative [0, 1, 2] (%0) from (%2)"));
    CHECK_THAT(check("%3 : i64[n0.1, n0.2] = fold commutative [0] (%0) from (%1)" + add +
                     "%4 : i64[n0.1] = fold commutative [1] (%3) from (%1)" + add +
                     "%5 : i64 = fold commutative [0] (%4) from (%1)" + add + "return %5"),
               Contains("fold commutative [0, 1, 2] (%0)"));
}

TEST_CASE("red_flat: in order only, where the operator is not known to be commutative") {
    CHECK_THAT(check("%3 : i64[n0, n0.1] = fold [2] (%0) from (%1)" + add + "%4 : i64[n0] = fold [1] (%3) from (%2)" + add +
                     "return %4"),
               Contains("fold [1, 2] (%0) from (%2)"));
    CHECK_THAT(check("%3 : i64[n0, n0.2] = fold [1] (%0) from (%1)" + add + "%4 : i64[n0] = fold [1] (%3) from (%2)" + add +
                     "return %4"),
               !Contains("[1, 2]"));
}

TEST_CASE("red_flat: not if the first starts from something, is needed itself, or has another operator") {
    const std::string first = "%3 : i64[n0, n0.1] = fold commutative [2] (%0) from ";
    const std::string second = "%4 : i64[n0] = fold commutative [1] (%3) from (%2)";
    CHECK_THAT(check(first + "(%2)" + add + second + add + "return %4"), !Contains("[1, 2]"));
    CHECK_THAT(check(first + "(%1)" + add + second + add + "return %3, %4"), !Contains("[1, 2]"));
    CHECK_THAT(check(first + "(%1)" + add + second + " {x0: i64, x1: i64 -> x2 = maximum x0 x1; x2}\nreturn %4"),
               !Contains("[1, 2]"));
}
