// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds and scans with operators of whole rows: of elements where the operator allows it, else loops.
#include "enable/lift/rows.hpp"

#include "enable/lift/lift.hpp"
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

ArrayValue counted(std::vector<std::int64_t> shape, std::int64_t factor) {
    ArrayValue array(Scalar::i64, std::move(shape));
    for (std::int64_t k = 0; k < array.count(); ++k) array.set(k, ir::from_int64(Scalar::i64, k * factor % 11 - 4));
    return array;
}

/// Lifts a program with the inputs %0 : i64[n0, n0.1] (rows), %1 : i64[n0.1] (a first row) and %2 : i64 (a scalar).
std::string check(const std::string& body) {
    const ir::Program before = ir::parse(R"(guard n1 = n0.1 "rows"
%0 : i64[n0, n0.1] = input
%1 : i64[n0.1] = input
%2 : i64 = input
)" + body);
    ir::verify(before);
    CHECK(ir::print(ir::parse(ir::print(before))) == ir::print(before));
    const ir::Program after = enable::lift(before);
    const std::string text = ir::print(after);
    INFO(text);
    ir::verify(after);
    CHECK_THAT(text, !Contains("_rows"));
    for (std::vector<std::int64_t> shape : {std::vector<std::int64_t>{4, 3}, {0, 3}, {5, 0}, {1, 1}}) {
        const std::vector<ArrayValue> inputs{counted(shape, 7), counted({shape[1]}, 5), counted({}, 3)};
        const auto expected = interp::interpret(before, inputs, {}), actual = interp::interpret(after, inputs, {});
        for (std::size_t k = 0; k < expected.size(); ++k) CHECK(same_values(expected[k], actual[k]));
    }
    return text;
}

const std::string plus = R"( (%0) from (%1) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = param
  %5 : i64[n0.1] = map (%3, %4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %5
}
return %3)";

}  // namespace

TEST_CASE("rows: a fold whose operator is a map is a fold of the outermost axis") {
    CHECK_THAT(check("%3 : i64[n0.1] = fold_rows" + plus), Contains("fold commutative [0] (%0) from (%1)"));
}

TEST_CASE("rows: scans, inclusive or exclusive, from both ends") {
    for (const char* kind : {"", " exclusive", " reverse", " exclusive reverse"}) {
        const std::string text = check("%3 : i64[n0, n0.1] = scan_rows" + std::string(kind) + plus);
        CHECK_THAT(text, Contains(std::string("scan") + kind + " [0] (%0) from (%1)"));
    }
}

TEST_CASE("rows: scalars and rows of the program around are captured") {
    const std::string text = check(R"(%3 : i64[n0.1] = fold_rows (%0) from (%1) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = param
  %5 : i64 = map (%2, %2) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  %6 : i64[n0.1] = broadcast [] %5
  %7 : i64[n0.1] = map (%4, %1, %6) {x0: i64, x1: i64, x2: i64 -> x3 = mul x0 x1; x4 = add x3 x2; x4}
  %8 : i64[n0.1] = map (%3, %7) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %8
}
return %3)");
    CHECK_THAT(text, Contains("fold [0]") && !Contains("= for"));
}

TEST_CASE("rows: an operator that is a nest of maps") {
    const std::string text = check(R"(%3 : i64[n0.1] = fold_rows (%0) from (%1) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = param
  %5 : i64[n0.1] = vmap (%3, %4) {
    %5 : i64 = param
    %6 : i64 = param
    %7 : i64 = map (%5, %6) {x0: i64, x1: i64 -> x2 = maximum x0 x1; x2}
    return %7
  }
  return %5
}
return %3)");
    CHECK_THAT(text, Contains("[0] (%0) from (%1)"));
}

TEST_CASE("rows: an operator that needs whole rows is applied to one after another") {
    for (const char* kind : {"fold_rows", "fold_rows reverse", "scan_rows", "scan_rows exclusive", "scan_rows reverse"}) {
        const bool folds = std::string(kind).starts_with("fold");
        const std::string text =
            check("%3 : i64[" + std::string(folds ? "" : "n0, ") + "n0.1] = " + kind + R"( (%0) from (%1) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = param
  %5 : i64[n0.1] = slice [(n0.1 - 1):-1] %3
  %6 : i64[n0.1] = map (%5, %4) {x0: i64, x1: i64 -> x2 = sub x0 x1; x2}
  return %6
}
return %3)");
        CHECK_THAT(text, Contains("= for"));
    }
}

TEST_CASE("rows: inside of vmap") {
    check(R"(%3 : i64[n0, n0.1] = vmap (%0) {
  %3 : i64[n0.1] = param
  %4 : i64[n0.1] = fold_rows (%0) from (%3) {
    %4 : i64[n0.1] = param
    %5 : i64[n0.1] = param
    %6 : i64[n0.1] = map (%4, %5) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    return %6
  }
  return %4
}
return %3)");
}
