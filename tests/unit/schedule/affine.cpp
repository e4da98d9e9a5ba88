// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/affine.hpp"
#include "lower/text/parse.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::schedule;

namespace {

/// A matrix of s0 x s1 elements, of which each point of an axis stores a row or a column in a loop.
bool stores_each_once(const std::string& body, std::int64_t rows, std::int64_t columns, std::int64_t elements) {
    const auto kernel = lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nbuffer 0 : i64[s2] in\nbuffer 1 : i64[s2] out\nspace s0\n" +
        body);
    const std::vector<std::int64_t> sizes{rows, columns, elements};
    return AffineNumbers(kernel, sizes.data(), {}).stores_each_once(1);
}

/// Whether rows of s0 x s1 points update elements of their own: points, each with a loop of `steps`.
bool updates_apart(const std::string& offset, std::int64_t rows, std::int64_t columns, std::int64_t steps,
                   std::int64_t elements, const std::string& more = "") {
    const auto kernel = lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nsize s2 = a2\nsize s3 = a3\nbuffer 0 : i64[s3] in\n"
        "buffer 1 : i64[s3] out filled 0\nspace s0 s1\n"
        "{x0: i64, x1: i64 -> x2 = size #1; x3 = size #2; x4: i64 = constant 2; for_each #1 x3 {x5: i64 ->" +
        offset + "update #1 x7 x5 {x8: i64, x9: i64 -> x10 = add x8 x9; x10};};" + more + "}");
    const std::vector<std::int64_t> sizes{rows, columns, steps, elements};
    return AffineNumbers(kernel, sizes.data(), {}).updates_apart(1, 1);
}

std::string loop(const std::string& offset, const std::string& extent = "x1") {
    return "{x0: i64 -> x1 = size #1; x2 = size #0; x3: i64 = constant 1; x4: i64 = constant 0; x5: i64 = for_loop " +
           extent + " x4 {x5: i64, x6: i64 -> " + offset + " x6};}";
}

}  // namespace

TEST_CASE("stores of loops affect each element once", "[reach]") {
    const std::string row = loop("x7 = mul x0 x1; x8 = add x7 x5; store #1 x8 x6;");
    const std::string column = loop("x7 = mul x5 x2; x8 = add x7 x0; store #1 x8 x6;");
    const std::string backwards = loop("x7 = mul x0 x1; x8 = sub x1 x3; x9 = sub x8 x5; x10 = add x7 x9; store #1 x10 x6;");
    for (const std::string& each : {row, column, backwards}) {
        CHECK(stores_each_once(each, 5, 7, 35));
        CHECK(stores_each_once(each, 1, 7, 7));
        CHECK(stores_each_once(each, 5, 1, 5));
        CHECK_FALSE(stores_each_once(each, 5, 7, 36));
        CHECK_FALSE(stores_each_once(each, 5, 7, 34));
    }
    CHECK_FALSE(stores_each_once(loop("x7 = mul x0 x1; store #1 x7 x6;"), 5, 7, 35));  // one of a row
    CHECK_FALSE(stores_each_once(loop("x7 = add x0 x5; store #1 x7 x6;"), 5, 7, 35));  // diagonals
    CHECK_FALSE(stores_each_once(loop("x7 = mul x0 x1; x8 = add x7 x5; x9 = add x8 x3; store #1 x9 x6;"), 5, 7, 35));
    CHECK_FALSE(stores_each_once(loop("x7 = mul x0 x1; x8 = add x7 x5; store #1 x8 x6; store #1 x8 x0;"), 5, 7, 35));
    CHECK_FALSE(stores_each_once(loop("x7 = mul x0 x1; x8 = add x7 x5; store #1 x8 x6;", "x3"), 5, 7, 35));  // one step
    CHECK_FALSE(stores_each_once(loop("x7: i64 = load #0 x0; x8 = add x7 x5; store #1 x8 x6;"), 5, 7, 35));
    // Not where a condition holds only.
    CHECK_FALSE(
        stores_each_once("{x0: i64 -> x1 = size #1; x2: i64 = constant 0; x3: bool = less x0 x2; x4: i64 = cond x3 {-> "
                         "store #1 x0 x0; x0} {-> x2};}",
                         5, 1, 5));
    // Loops in loops, and in a condition; factors that wrap.
    const std::string nested =
        "{x0: i64 -> x1 = size #1; x2 = size #0; x3: i64 = constant 3; x4: i64 = constant 0;"
        "x5: i64 = for_loop x1 x4 {x5: i64, x6: i64 -> x7: i64 = for_loop x3 x6 {x7: i64, x8: i64 ->"
        "x9 = mul x0 x1; x10 = add x9 x5; x11 = mul x10 x3; x12 = add x11 x7; store #1 x12 x8; x8}; x7};}";
    CHECK(stores_each_once(nested, 5, 7, 105));
    CHECK_FALSE(stores_each_once(nested, 5, 7, 104));
    CHECK_FALSE(
        stores_each_once("{x0: i64 -> x1 = size #1; x2: i64 = constant 0; x3: bool = less x0 x2; x4: i64 = cond x3 {->"
                         "x4: i64 = for_loop x1 x2 {x4: i64, x5: i64 -> x6 = mul x0 x1; x7 = add x6 x4; store #1 x7 x5;"
                         "x5}; x4} {-> x2};}",
                         5, 7, 35));
    CHECK_FALSE(
        stores_each_once(loop("x7: i64 = constant 6364136223846793005; x8 = mul x5 x7; x9 = mul x8 x7; x10 = mul x0 x1;"
                              "x11 = add x10 x9; store #1 x11 x6;"),
                         5, 7, 35));
    CHECK_FALSE(stores_each_once(loop("x7: i64 = constant -9223372036854775808; x8 = mul x5 x7; x9 = mul x0 x1;"
                                      "x10 = add x9 x8; store #1 x10 x6;"),
                                 5, 7, 35));
}

TEST_CASE("updates of rows affect elements of their own", "[reach]") {
    CHECK(updates_apart("x6 = mul x4 x4; x7 = add x0 x4;", 5, 7, 3, 7));  // all of a row one element
    CHECK(updates_apart("x6 = mul x0 x2; x7 = add x6 x1;", 5, 7, 3, 35));
    CHECK(updates_apart("x6 = mul x0 x3; x7 = add x6 x5;", 5, 7, 3, 15));
    CHECK(updates_apart("x6 = sub x4 x0; x7 = mul x6 x3;", 3, 7, 3, 15));             // backwards
    CHECK(updates_apart("x6 = add x1 x5; x7 = add x6 x0;", 1, 7, 3, 9));              // a row alone
    CHECK_FALSE(updates_apart("x6 = mul x4 x4; x7 = add x1 x4;", 5, 7, 3, 9));        // all rows the same
    CHECK_FALSE(updates_apart("x6 = mul x4 x4; x7 = add x0 x1;", 5, 7, 3, 11));       // diagonals
    CHECK_FALSE(updates_apart("x6 = mul x4 x4; x7 = add x0 x5;", 5, 7, 3, 7));        // of the loop, too
    CHECK_FALSE(updates_apart("x6 = mul x0 x4; x7 = add x6 x5;", 5, 7, 3, 11));       // rows overlap by one
    CHECK_FALSE(updates_apart("x6 = mul x4 x4; x7: i64 = load #0 x0;", 5, 7, 3, 7));  // anywhere
    CHECK_FALSE(updates_apart("x6 = mul x0 x2; x7 = add x6 x1;", 5, 7, 3, 7));        // beyond the array
    CHECK_FALSE(updates_apart("x6: i64 = constant -9223372036854775808; x7 = mul x0 x6;", 5, 7, 3, 35));
    CHECK_FALSE(updates_apart("x6 = mul x0 x3; x7 = add x6 x5;", 5, 7, 3, 15,
                              "update #1 x1 x4 {x5: i64, x6: i64 -> x7 = add x5 x6; x7};"));  // and others
    // Under a condition.
    const auto kernel = lower::parse(
        "kernel k\nsize s0 = a0\nsize s1 = a1\nbuffer 0 : i64[s0] out filled 0\nspace s0 s1\n"
        "{x0: i64, x1: i64 -> x2: bool = less x1 x0; x3: i64 = cond x2 {-> update #0 x0 x1 {x3: i64, x4: i64 -> "
        "x5 = add x3 x4; x5}; x0} {-> x0};}");
    const std::vector<std::int64_t> sizes{5, 7};
    CHECK_FALSE(AffineNumbers(kernel, sizes.data(), {}).updates_apart(0, 1));
}
