// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the rows of a matrix as recurrences.
#include "enable/loops/recurrences.hpp"

#include "interp/program.hpp"
#include "ir/evaluate.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sinter;
using interp::ArrayValue;
using ir::Scalar;

namespace {

ArrayValue ints(std::vector<std::int64_t> shape) {
    ArrayValue array(Scalar::i64, std::move(shape));
    for (std::int64_t i = 0; i < array.count(); ++i) array.set(i, static_cast<std::uint64_t>(i * 7 % 11));
    return array;
}

/// A loop over the rows (%11) of a matrix: `step` computes the next state, %14 or later, from the state %8 and the row.
std::string loop_over_rows(const std::string& step, const std::string& result) {
    return R"(%0 : i64[n0, n0.1] = input
%1 : i64[n0.1] = input
%2 : i64 = map (; ; %0) {@0: i64^2 -> x0 = extent @0^0; x0}
%3 : i64 = map () {-> x0: i64 = constant 0; x0}
%4 : i64[n0.1] = for %2 (%1) {
  %4 : i64 = param
  %5 : i64[n0.1] = param
  %6 : i64[1, n0.1] = slice [%4:1, 0:1] %0
  %7 : i64[n0.1] = reshape %6
)" + step + "  return " +
           result + "\n}\nreturn %4\n";
}

/// The program after the pass, with the same results.
std::string after_pass(const std::string& text) {
    const ir::Program before = ir::parse(text);
    ir::verify(before);
    const ir::Program after = enable::recurrences(before);
    ir::verify(after);
    std::string printed = ir::print(after);
    INFO(printed);
    for (std::int64_t rows : {0, 1, 5}) {
        const std::vector<ArrayValue> inputs = {ints({rows, 6}), ints({6})};
        CHECK(same_values(interpret(after, inputs, {})[0], interpret(before, inputs, {})[0]));
    }
    return printed;
}

bool contains(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("recurrences: a loop that adds rows") {
    const std::string after =
        after_pass(loop_over_rows("  %8 : i64[n0.1] = map (%5, %7) {x0: i64, x1: i64 -> x2 = sub x1 x0; x2}\n", "%8"));
    CHECK(contains(after, "= recur totals [0]"));
    CHECK(!contains(after, "= for %"));
}

TEST_CASE("recurrences: a loop that adds rows times a fold of the row") {
    const std::string after = after_pass(loop_over_rows(
        "  %8 : i64 = fold commutative [0] (%7) from (%3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n"
        "  %9 : i64[n0.1] = map (%5, %7; %8) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = sub x3 x0; x4}\n",
        "%9"));
    CHECK(contains(after, "= fold commutative [1]"));
    CHECK(contains(after, "= recur totals [0]"));
    CHECK(!contains(after, "= for %"));
}

TEST_CASE("recurrences: a loop that folds its state stays a loop") {
    const std::string after = after_pass(loop_over_rows(
        "  %8 : i64 = fold commutative [0] (%5) from (%3) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}\n"
        "  %9 : i64[n0.1] = map (%5, %7; %8) {x0: i64, x1: i64, x2: i64 -> x3 = mul x1 x2; x4 = sub x3 x0; x4}\n",
        "%9"));
    CHECK(contains(after, "= for %"));
    CHECK(!contains(after, "fold commutative [1]"));
}
