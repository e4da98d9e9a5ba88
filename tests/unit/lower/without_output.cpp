// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/outputs/without_output.hpp"

#include "lower/text/parse.hpp"
#include "lower/verify.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

const std::string head = "kernel k\nsize s0 = a0\nbuffer 0 : f64[s0] in\nbuffer 1 : i64[s0] in\n";

std::string without(std::size_t output, const std::string& outputs, const std::string& body) {
    const auto made = lower::without_output(lower::parse(head + outputs + "check 0 : index 0\nspace s0\n" + body), output);
    if (!made) return "none";
    lower::verify(*made);
    return lower::print(*made);
}

std::string expected(const std::string& outputs, const std::string& body) {
    return lower::print(lower::parse(head + outputs + "check 0 : index 0\nspace s0\n" + body));
}

}  // namespace

TEST_CASE("a kernel without an output has neither its stores nor what only they need") {
    CHECK(without(2, "buffer 2 : f64[s0] out of 0\nbuffer 3 : f64[s0] out\n",
                  "{x0: i64 -> x1: f64 = load #0 x0; x2: i64 = load #1 x0; x3 = size #0; x4 = check_index #0 x2 x3; "
                  "store #2 x4 x1; store #3 x0 x1;}") ==
          expected("buffer 2 : f64[s0] out\n",
                   "{x0: i64 -> x1: f64 = load #0 x0; x2: i64 = constant 0; x3: i64 = constant 0; "
                   "x4: i64 = constant 0; store #2 x0 x1;}"));
}

TEST_CASE("what other outputs need stays, in loops too") {
    const std::string loop =
        "x2 = size #0; x3: f64 = for_loop x2 x1 {x3: i64, x4: f64 -> x5 = add x4 x1; x5}; store #2 x0 x3;";
    CHECK(without(3, "buffer 2 : f64[s0] out\nbuffer 3 : f64[s0] out\n",
                  "{x0: i64 -> x1: f64 = load #0 x0; " + loop + " store #3 x0 x1;}") ==
          expected("buffer 2 : f64[s0] out\n", "{x0: i64 -> x1: f64 = load #0 x0; " + loop + "}"));
}

TEST_CASE("an output that a loop stores to stays") {
    CHECK(without(2, "buffer 2 : f64[s0] out\n",
                  "{x0: i64 -> x1: f64 = load #0 x0; x2: i64 = constant 1; for_each #1 x2 {x3: i64 -> store #2 x0 x1;};}") ==
          "none");
}
