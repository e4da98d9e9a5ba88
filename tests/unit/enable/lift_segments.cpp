// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of different shapes become segments, and give what the interpreter computes slice by slice.
#include "lift_check.hpp"

using namespace lifting;

namespace {

ArrayValue lengths(const std::vector<std::uint64_t>& values) {
    return ArrayValue(Scalar::i64, {static_cast<std::int64_t>(values.size())}, values);
}

void check_lengths(std::string_view text) {
    for (const auto& values : std::vector<std::vector<std::uint64_t>>{{}, {0}, {4}, {0, 0}, {3, 0, 5, 1}})
        check_lifted(text, {lengths(values)});
}

}  // namespace

TEST_CASE("lift: folds of slices of different lengths", "[enable]") {
    check_lengths(R"(%0 : i64[n0] = input
%1 : i64 = map () {-> x0: i64 = constant 5; x0}
%2 : i64[n0] = vmap (%0) {
  %2 : i64 = param
  %3 : i64[%2] = generate () {x0: i64 -> x0}
  %4 : i64[%2] = map (%3; %2) {x0: i64, x1: i64 -> x2 = mul x0 x1; x2}
  %5 : i64 = fold [0] (%4) from (%1) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %5
}
return %2)");
}

TEST_CASE("lift: filters, sorts and scans of slices, joined", "[enable]") {
    check_lengths(R"(%0 : i64[n0] = input
%1 : i64, %2 : i64[n0], %3 : i64[%1], %4 : i64[%1] = vmap (%0) {
  %1 : i64 = param
  %2 : i64[%1] = generate () {x0: i64 -> x0}
  %3 : bool[%1] = map (%2) {x0: i64 -> x1: i64 = constant 2; x2 = not_equal x0 x1; x2}
  %4 : i64, %5 : i64[%4] = compact %3 (%2)
  %6 : i64[%4] = sort descending 1 (%5)
  %7 : i64[%4] = scan [0] (%6) from (%1) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %8 : i64[%4] = scan reverse [0] (%6) from () {x0: i64, x1: i64 -> x1}
  return %7, %8
}
return %1, %2, %3, %4)");
}

TEST_CASE("lift: joined slices of one shape", "[enable]") {
    check_lifted(R"(%0 : f32[n0, n0.1] = input
%1 : i64, %2 : i64[n0], %3 : f32[%1] = vmap (%0) {
  %1 : f32[n0.1] = param
  %2 : f32[n0.1] = scan [0] (%1) from () {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %2
}
return %1, %2, %3)",
                 {floats({3, 4})});
}

TEST_CASE("lift: loops whose states have other extents in every slice", "[enable]") {
    check_lengths(R"(%0 : i64[n0] = input
%1 : i64 = map () {-> x0: i64 = constant 0; x0}
%2 : i64[n0], %3 : i64[n0] = vmap (%0) {
  %2 : i64 = param
  %3 : i64[%2] = generate () {x0: i64 -> x0}
  %4 : i64, %5 : i64[%4], %6 : i64 = while (%3, %2) changing [0:0] {
    %4 : i64 = param
    %5 : i64[%4] = param
    %6 : i64 = param
    %7 : bool = map (; %4, %6) {x0: i64, x1: i64 -> x2: i64 = constant 1; x3 = greater x0 x2; x3}
    return %7
  } {
    %4 : i64 = param
    %5 : i64[%4] = param
    %6 : i64 = param
    %7 : bool[%4] = map (%5) {x0: i64 -> x1: i64 = constant 1; x2 = bit_and x0 x1; x3: i64 = constant 0; x4 = equal x2 x3; x4}
    %8 : i64, %9 : i64[%8] = compact %7 (%5)
    %10 : i64[%8] = map (%9) {x0: i64 -> x1: i64 = constant 1; x2 = shift_right x0 x1; x2}
    %11 : i64 = map (; %6, %8) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
    return %10, %11
  }
  %7 : i64 = fold [0] (%5) from (%6) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %7, %4
}
return %2, %3)");
}

TEST_CASE("lift: slices without a rule for segments are joined one by one", "[enable]") {
    check_lengths(R"(%0 : i64[n0] = input
%1 : i64 = map () {-> x0: i64 = constant 1; x0}
%2 : i64, %3 : i64[n0], %4 : i64[%2] = vmap (%0) {
  %2 : i64 = param
  %3 : i64[%2] = generate () {x0: i64 -> x0}
  %4 : i64[%2] = recur [0] (%3) from (%1) {x0: i64, x1: i64 -> x2 = add x0 x0; x3 = add x2 x1; x3}
  return %4
}
return %2, %3, %4)");
}
