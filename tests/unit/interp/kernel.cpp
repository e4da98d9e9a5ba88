// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The meaning of what only kernels have.
#include "interp/kernel.hpp"

#include "lower/text/parse.hpp"
#include "support/check.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace sinter;

namespace {

using Values = std::vector<std::int64_t>;

/// Runs a kernel on i64 buffers; a0, a1, .. of its sizes are `arguments`.
std::optional<interp::CheckFailure> run(std::string_view text, std::vector<Values*> arrays, Values arguments) {
    lower::Kernel kernel = lower::parse(text);
    std::vector<void*> buffers;
    for (Values* array : arrays) buffers.push_back(array->data());
    Values sizes =
        ir::evaluate(kernel.sizes, [&](const ir::Size& s) { return arguments[static_cast<std::size_t>(s.index)]; });
    return interp::interpret(kernel, buffers, sizes);
}

const std::string one_in_one_out = "kernel k\nsize s0 = a0\nbuffer 0 : i64[s0] in\nbuffer 1 : i64[s0] out\n";

}  // namespace

TEST_CASE("reduce goes from left to right over several axes, init first, and may store") {
    std::string text =
        "kernel k\nsize s0 = a0\nsize s1 = a1\nsize s2 = (s0 * s1)\nbuffer 0 : i64[s2] in\nbuffer 1 : i64[s2] out\n"
        "buffer 2 : i64[s0] out\nspace\n"
        "{-> x0 = size #0; x1 = size #1; x2: i64 = constant 100; x3: i64 = reduce #2 x0 x1 x2 "
        "{x3: i64, x4: i64 -> x5 = mul x3 x1; x6 = add x5 x4; x7: i64 = load #0 x6; x8 = negate x7; store #1 x6 x8; x7} "
        "{x3: i64, x4: i64 -> x5: i64 = constant 2; x6 = mul x3 x5; x7 = sub x6 x4; x7}; "
        "x4: i64 = constant 0; store #2 x4 x3;}";
    Values in{1, 2, 3, 4}, negated(4), result(2);
    CHECK(!run(text, {&in, &negated, &result}, {2, 2}));
    CHECK(negated == Values{-1, -2, -3, -4});
    CHECK(result[0] == (((100 * 2 - 1) * 2 - 2) * 2 - 3) * 2 - 4);
    CHECK(!run(text, {&in, &negated, &result}, {2, 0}));
    CHECK(result[0] == 100);
}

TEST_CASE("for_each visits every point") {
    std::string text =
        one_in_one_out +
        "space\n{-> x0 = size #0; for_each #1 x0 {x1: i64 -> x2: i64 = load #0 x1; x3 = add x2 x2; store #1 x1 x3;};}";
    Values in{1, 2, 3}, out(3);
    CHECK(!run(text, {&in, &out}, {3}));
    CHECK(out == Values{2, 4, 6});
}

TEST_CASE("expectations report the number of an element and go on") {
    const std::string text =
        "kernel k\nsize s0 = a0\nbuffer 0 : i64[s0] in\nbuffer 1 : i64[s0] out\ncheck 0 : expect 8\nspace s0\n"
        "{x0: i64 -> x1: i64 = load #0 x0; x2: i64 = constant 5; x3 = less x1 x2; x4 = mul x0 x2; x5: bool = expect #0 x3 "
        "x4; "
        "x6 = select x5 x1 x2; store #1 x0 x6;}";
    Values in{1, 2, 7, 9}, out(4);
    auto failure = run(text, {&in, &out}, {4});
    REQUIRE(failure);
    CHECK(failure->index == 10);
    CHECK(out == Values{1, 2, 5, 5});
    Values good{1, 1}, same(2);
    CHECK(!run(text, {&good, &same}, {2}));
}

TEST_CASE("checks report the first failure and go on") {
    std::string text =
        "kernel k\nsize s0 = a0\nbuffer 0 : i64[s0] in\nbuffer 1 : i64[s0] out\ncheck 0 : index 0\ncheck 1 : divisor\n"
        "nonempty s0\nspace s0\n"
        "{x0: i64 -> x1: i64 = load #0 x0; x2 = size #0; x3 = check_index #0 x1 x2; x4: i64 = load #0 x3; "
        "x5 = check_divisor #1 x4; x6 = div x2 x5; store #1 x0 x6;}";
    Values in{1, 2, 7, 1}, out(4);
    auto failure = run(text, {&in, &out}, {4});
    REQUIRE(failure);
    CHECK(failure->check == 0);
    CHECK(failure->index == 7);
    CHECK(failure->extent == 4);
    CHECK(out == Values{2, 0, 4, 2});
    Values zeros{0, 0}, quotients(2);
    failure = run(text, {&zeros, &quotients}, {2});
    REQUIRE(failure);
    CHECK(failure->check == 1);
    CHECK(quotients == Values{2, 2});
    Values good{1, 1}, halves(2);
    CHECK(!run(text, {&good, &halves}, {2}));
    CHECK(halves == Values{2, 2});
}

TEST_CASE("broken rules are internal errors") {
    Values in{0, 1}, out(2);
    auto broken = [&](const std::string& body) {
        CHECK_THROWS_AS(run(one_in_one_out + "space s0\n" + body, {&in, &out}, {2}), InternalError);
    };
    broken("{x0: i64 -> x1: i64 = constant 1; x2 = add x0 x1; x3: i64 = load #0 x2; store #1 x0 x3;}");
    broken("{x0: i64 -> x1: i64 = constant -1; x2 = add x0 x1; store #1 x2 x0;}");
    broken("{x0: i64 -> x1: i64 = load #1 x0; store #1 x0 x1;}");
    broken("{x0: i64 -> store #0 x0 x0;}");
    broken("{x0: i64 -> x1: i64 = load #0 x0; x2 = div x0 x1; store #1 x0 x2;}");
    CHECK_THROWS_AS(run(one_in_one_out + "space s0\n{x0: i64 ->}", {&in}, {2}), InternalError);
}
