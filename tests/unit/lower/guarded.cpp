// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/guarded.hpp"

#include "lower/text/parse.hpp"
#include "lower/verify.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

const std::string head =
    "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : i64[s0] in\nbuffer 1 : i64[s1] in\nbuffer 2 : i64[s1] out\n"
    "check 0 : index 0\n";

std::string guarded(const std::string& body) {
    const lower::Kernel kernel = lower::parse(head + "nonempty s0\nspace s1\n" + body);
    const lower::Kernel made = lower::guarded(kernel);
    lower::verify(made);
    CHECK(made.nonempty.empty());
    const std::string text = lower::print(made);
    CHECK(lower::print(lower::parse(text)) == text);
    return text;
}

std::string expected(const std::string& body) { return lower::print(lower::parse(head + "space s1\n" + body)); }

}  // namespace

TEST_CASE("a kernel reads an empty array if the number of its elements is 0") {
    const lower::Kernel kernel = lower::parse(head + "nonempty s0\nspace s1\n{x0: i64 ->}");
    CHECK(lower::reads_empty(kernel, std::vector<std::int64_t>{0, 3}.data()));
    CHECK(!lower::reads_empty(kernel, std::vector<std::int64_t>{3, 0}.data()));
}

TEST_CASE("reads at checked indices, and at what is computed of them, are guarded") {
    CHECK(guarded("{x0: i64 -> x1: i64 = load #1 x0; x2 = size #0; x3 = check_index #0 x1 x2; x4 = add x3 x3; "
                  "x5: i64 = load #0 x4; store #2 x0 x5;}") ==
          expected("{x0: i64 -> x1: i64 = load #1 x0; x2 = size #0; x3 = check_index #0 x1 x2; x4 = add x3 x3; "
                   "x5 = size #0; x6 = inside x4 x5; "
                   "x7: i64 = cond x6 {-> x7: i64 = load #0 x4; x7} {-> x7: i64 = constant 0; x7}; store #2 x0 x7;}"));
}

TEST_CASE("what does not depend on a check is read and written as before") {
    const std::string body = "{x0: i64 -> x1: i64 = load #1 x0; x2 = size #0; x3 = check_index #0 x1 x2; store #2 x0 x3;}";
    CHECK(guarded(body) == expected(body));
}

TEST_CASE("writes at checked indices are guarded, and indices of loops are no such") {
    CHECK(guarded("{x0: i64 -> x1 = size #1; x2 = check_index #0 x0 x1; for_each #1 x1 {x3: i64 -> x4: i64 = load #1 x3; "
                  "store #2 x2 x4;};}") ==
          expected("{x0: i64 -> x1 = size #1; x2 = check_index #0 x0 x1; for_each #1 x1 {x3: i64 -> x4: i64 = load #1 x3; "
                   "x5 = size #1; x6 = inside x2 x5; cond x6 {-> store #2 x2 x4;} {->};};}"));
}

TEST_CASE("the operator of a guarded update counts its values from where it stands") {
    const std::string into =
        "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : i64[s0] in\nbuffer 1 : f64[s1] in\n"
        "buffer 2 : f64[s1] out of 1\ncheck 0 : index 0\n";
    const lower::Kernel made =
        lower::guarded(lower::parse(
            into + "nonempty s0\nspace s1\n{x0: i64 -> x1: f64 = load #1 x0; x2 = size #1; x3 = check_index #0 x0 x2; "
                   "update #2 x3 x1 {x4: f64, x5: f64 -> x6 = add x4 x5; x6};}"));
    CHECK(lower::print(made) ==
          lower::print(lower::parse(
              into + "space s1\n{x0: i64 -> x1: f64 = load #1 x0; x2 = size #1; x3 = check_index #0 x0 x2; x4 = size #1; "
                     "x5 = inside x3 x4; cond x5 {-> update #2 x3 x1 {x6: f64, x7: f64 -> x8 = add x6 x7; x8};} {->};}")));
}
