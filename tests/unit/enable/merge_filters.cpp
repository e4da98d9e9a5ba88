// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters by one mask become one; the results stay what they were.
#include "enable/filters/merge_filters.hpp"

#include "enable/filters/push_filters.hpp"
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

/// %0: bool[a0], %1: i64[a0], %2: i64[a0], %3: bool[a0].
std::vector<ArrayValue> inputs(const Sizes& size) {
    std::vector<ArrayValue> values;
    for (Scalar scalar : {Scalar::boolean, Scalar::i64, Scalar::i64, Scalar::boolean}) {
        const std::int64_t seed = 3 + static_cast<std::int64_t>(values.size()) * 2;
        values.emplace_back(scalar, std::vector{size[0]});
        for (std::int64_t k = 0; k < size[0]; ++k)
            values.back().set(k, ir::from_int64(scalar, scalar == Scalar::boolean ? k * k % seed == 1 : k * seed % 11));
    }
    return values;
}

template <class Pass>
std::string check(Pass pass, const std::string& body, const std::string& guards = "") {
    const std::string parameters =
        "%0 : bool[a0] = input\n%1 : i64[a0] = input\n%2 : i64[a0] = input\n%3 : bool[a0] = input\n";
    return after(pass, "arguments 1\n" + guards + parameters + body, {{0}, {1}, {2}, {40}}, inputs);
}
std::string check(const std::string& body) { return check(enable::merge_filters, body); }

const std::string twice = "{x0: i64 -> x1 = add x0 x0; x1}", plus = "{x0: i64, x1: i64 -> x2 = add x0 x1; x2}";

}  // namespace

TEST_CASE("merge filters: of one mask, with what the later ones need") {
    const std::string text = check(R"(
%4 : i64, %5 : i64[%4] = compact %0 (%1)
%6 : i64[a0] = map (%2) )" + twice +
                                   R"(
%7 : i64[%4] = map (%5) )" + twice +
                                   R"(
%8 : i64, %9 : i64[%8], %10 : i64[%8] = compact %0 (%6, %2)
%11 : i64 = map (%4, %8) )" + plus +
                                   R"(
return %11, %10, %5, %9, %7)");
    CHECK(count(text, "compact") == 1);
    CHECK_THAT(text, Contains("compact %0 (%1, %4, %2)"));
}

TEST_CASE("merge filters: extents that are guarded to be the same") {
    const std::string guards = "guard %6 = %4 \"operator *: arguments 0 and 1, axis 0\"\n";
    const std::string body = R"(
%4 : i64, %5 : i64[%4] = compact %0 (%1)
%6 : i64, %7 : i64[%4] = compact %0 (%2)
%8 : i64[%4] = map (%5, %7) )" +
                             plus + "\nreturn %8";
    CHECK(count(check(enable::merge_filters, body, guards), "compact") == 1);
    auto both = [](ir::Program program) { return enable::push_filters(enable::merge_filters(std::move(program))); };
    const std::string text = check(both, body, guards);
    CHECK_THAT(text, Contains("compact %0 (%4)"));  // of the sums
}

TEST_CASE("merge filters: not by other masks, nor of what depends on the first") {
    CHECK(count(check(R"(
%4 : i64, %5 : i64[%4] = compact %0 (%1)
%6 : i64, %7 : i64[%6] = compact %3 (%1)
return %5, %7)"),
                "compact") == 2);
    CHECK(count(check(R"(
%4 : i64, %5 : i64[%4] = compact %0 (%1)
%6 : i64[a0] = map (%1; %4) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
%7 : i64, %8 : i64[%7] = compact %0 (%6)
return %5, %8)"),
                "compact") == 2);
}

TEST_CASE("merge filters: no more arrays than a limit, and in bodies") {
    std::string many, results;
    for (int k = 0; k < 10; ++k) {
        const std::string number = std::to_string(4 + 2 * k), array = std::to_string(5 + 2 * k);
        many += "\n%" + number + " : i64, %" + array + " : i64[%" + number + "] = compact %0 (%" +
                std::to_string(1 + k % 2) + ")";
        results += (k == 0 ? "%" : ", %") + array;
    }
    CHECK(count(check(many + "\nreturn " + results), "compact") == 2);
    CHECK(count(check(R"(
%4 : i64 = map () {-> x0: i64 = constant 3; x0}
%5 : i64 = for %4 (%4) {
  %5 : i64 = param
  %6 : i64 = param
  %7 : i64, %8 : i64[%7] = compact %0 (%1)
  %9 : i64, %10 : i64[%9] = compact %0 (%2)
  %11 : i64 = fold commutative [0] (%8) from (%6) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  %12 : i64 = fold commutative [0] (%10) from (%11) {x0: i64, x1: i64 -> x2 = add x0 x1; x2}
  return %12
}
return %5)"),
                "compact") == 1);
}
